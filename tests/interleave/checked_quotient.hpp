// A quotient filter of 16 blocks in two stripes, on the abstract machine: what the
// programs of quotient_*_test.cpp share.
//
// Remainders of 2 bits.  The border between the stripes is before block 8, slot 512.
// Words that no thread of a program changes are no locations of the machine: to read one
// is no step, and to write one is an error.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <vector>

#include <bloomery/detail/kind/quotient/changes.hpp>
#include <bloomery/detail/kind/quotient/protocol.hpp>
#include <bloomery/detail/kind/quotient/stripes.hpp>
#include <bloomery/detail/kind/quotient/words.hpp>

#include "toy_filter.hpp"

namespace interleave {

inline constexpr bloomery::quotient_layout toy_quotients{
    .quotients = 1024, .remainder_bits = 2, .blocks = 16};
inline constexpr std::size_t quotient_words = toy_quotients.words();
using quotient_payload = std::array<std::uint64_t, quotient_words>;

constexpr std::uint64_t fingerprint(std::uint64_t quotient, std::uint64_t remainder) {
  return quotient << toy_quotients.remainder_bits | remainder;
}

// The same filter for one thread: what it must become.
class plain_quotient {
 public:
  plain_quotient& insert(std::uint64_t f) {
    changes(toy_quotients, {&payload_}).insert(f);
    return *this;
  }
  plain_quotient& erase(std::uint64_t f) {
    changes(toy_quotients, {&payload_}).erase(f);
    return *this;
  }
  const quotient_payload& payload() const { return payload_; }

 private:
  struct memory {
    quotient_payload* all;
    std::uint64_t word(std::uint64_t i) const { return (*all)[i]; }
    void set_word(std::uint64_t i, std::uint64_t v) const { (*all)[i] = v; }
    static bool can_read(std::uint64_t) { return true; }
    static bool can_read_offset(std::uint64_t) { return true; }
  };
  using changes = bloomery::quotient_changes<memory, bloomery::broadword_select>;

  quotient_payload payload_{};
};

// Words of which some are locations (atomic_words.hpp).
class some_words {
 public:
  using copied = plain<std::uint64_t>*;

  struct store_of_words {
    quotient_payload fixed;
    std::array<std::unique_ptr<atomic<std::uint64_t>>, quotient_words> changing;
  };
  explicit some_words(store_of_words* all) : all_(all) {}

  std::uint64_t load(std::size_t i, std::memory_order o) const {
    const auto& one = all_->changing[i];
    return one ? one->load(o) : all_->fixed[i];
  }
  void store(std::size_t i, std::uint64_t v, std::memory_order o) const {
    const auto& one = all_->changing[i];
    require(one != nullptr, "a word is written that the program does not know of");
    if (one) one->store(v, o);
  }
  void copy(copied to, std::size_t first, std::size_t count) const {
    for (std::size_t i = first; i < first + count; ++i)
      if (all_->changing[i]) to[i].set(load(i, relaxed));
  }

 private:
  store_of_words* all_;
};

using sound_stripes = bloomery::quotient_stripes<some_words, strict_machine>;

// Stripes: sound_stripes, or with a fault.
template <class Stripes>
struct checked_quotient {
  using calls = bloomery::shared_quotient<Stripes, bloomery::broadword_select, 2>;

  // `changing`: the blocks that threads write to; offsets are always among them.
  checked_quotient(const plain_quotient& first,
                   std::initializer_list<std::uint64_t> changing) {
    memory.fixed = first.payload();
    const auto add = [&](std::uint64_t i) {
      memory.changing[i] = std::make_unique<atomic<std::uint64_t>>(memory.fixed[i]);
    };
    for (const std::uint64_t b : changing)
      for (std::uint64_t i = 0; i < toy_quotients.block_words(); ++i)
        add(b * toy_quotients.block_words() + i);
    for (std::uint64_t i = toy_quotients.offsets_at(); i < quotient_words; ++i) add(i);
  }

  calls shared() const { return calls(stripes); }

  // At the end.
  bool is(const plain_quotient& other) const {
    for (std::size_t i = 0; i < quotient_words; ++i)
      if (all.load(i, relaxed) != other.payload()[i]) return false;
    return true;
  }
  bool copy_is(const plain_quotient& other) const {
    for (std::size_t i = 0; i < quotient_words; ++i)
      if ((memory.changing[i] ? copied[i].get() : memory.fixed[i]) != other.payload()[i])
        return false;
    return true;
  }

  some_words::store_of_words memory;
  some_words all{&memory};
  Stripes stripes{*Stripes::make(all, toy_quotients)};
  std::array<plain<std::uint64_t>, quotient_words> copied;
  std::array<signal, 2> done;
  std::array<unsigned, 4> told{};  // a place a thread
};

}  // namespace interleave
