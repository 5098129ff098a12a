// Which chunks of a mapped payload have been checked: each at its first touch, once.
//
// A thread that needs a chunk claims it, compares its CRC32C, and only then marks it
// checked; threads that come meanwhile wait for the mark, less than a microsecond.  What
// a wrong CRC means is the kind's damage rule:
//   ones     the chunk is filled with ones before it is marked: lookups need not know
//   other    the chunk is left as it is and recorded; `need` returns that it is not to be
//            trusted, and the lookup answers "possibly present"
// When nothing is left to check and nothing to distrust, `is_plain` turns true for good
// and lookups need no check any more.
//
// If the file shrinks, what is gone becomes ones as soon as a check notices, and under
// another rule is damaged, also if it was checked before; a lookup
// that touches a vanished page before that gets SIGBUS from the system.  That a file was
// written to after chunks of it were checked is seen by `unchanged` only.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/detail/base/damage_set.hpp>
#include <bloomery/detail/export.hpp>
#include <bloomery/detail/format/file_stamp.hpp>
#include <bloomery/detail/kind_facts.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

class BLOOMERY_EXPORT chunk_guard {
 public:
  static constexpr unsigned chunk_log = 12;

  // The file that is mapped, for noticing what becomes of it.
  struct mapped_file {
    int fd = -1;  // -1: a copy in memory
    std::span<std::byte> mapping = {};
    file_stamp stamp = {};           // when it was opened
    std::uint64_t checksums_at = 0;  // offset of the table in it
  };

  // `payload`: all its bytes, padding included; only the first `length` become ones.
  // `checksums`: four bytes for each chunk.  file.fd is this object's to close, also on
  // an error.  Errors: out_of_memory.  REQUIRES: the three ranges outlive this
  static result<chunk_guard> make(std::span<std::byte> payload, std::uint64_t length,
                                  std::span<const std::byte> checksums,
                                  const mapped_file& file,
                                  damage_rule rule = damage_rule::ones) noexcept;

  bool all_checked() const noexcept {
    return state().unchecked.load(std::memory_order_acquire) == 0;
  }
  // All checked, and every byte may be read as it stands.
  bool is_plain() const noexcept {
    return state().distrusted.load(std::memory_order_acquire) == 0;
  }
  // Makes sure that the chunk of this byte is checked; whether it may be believed, which
  // under the rule `ones` is always so.
  bool need(std::uint64_t offset) const noexcept {
    const std::uint64_t c = offset >> chunk_log;
    if ((checked()[c / 64].load(std::memory_order_acquire) >> (c % 64) & 1) == 0)
        [[unlikely]]
      check(c);
    return rule_ == damage_rule::ones || !is_damaged(c);
  }
  // The same for the bytes from `offset` on.  REQUIRES: length > 0
  bool need(std::uint64_t offset, std::uint64_t length) const noexcept {
    bool good = true;
    for (std::uint64_t c = offset >> chunk_log; c <= (offset + length - 1) >> chunk_log;
         ++c)
      good &= need(c << chunk_log);
    return good;
  }
  bool is_checked(std::uint64_t offset) const noexcept {
    const std::uint64_t c = offset >> chunk_log;
    return (checked()[c / 64].load(std::memory_order_acquire) >> (c % 64) & 1) != 0;
  }

  // Checks what is left, by several threads.
  void check_all(unsigned threads = 1) const noexcept;

  // As filter_view::unchanged.
  bool unchanged() const noexcept;

  // For the filter over the payload, under a rule other than `ones`: what was found so
  // far, and what will be.  REQUIRES: this guard, or one it is moved to, outlives it
  damage_set found_damage() const noexcept;

  // The bytes that are mapped; none of a copy.
  std::span<const std::byte> mapping() const noexcept { return mapping_; }

  std::uint64_t chunks() const noexcept { return chunks_; }
  // Chunks found damaged so far.
  std::uint64_t damaged() const noexcept {
    return state().damaged.load(std::memory_order_relaxed);
  }

 private:
  struct counters {
    std::atomic<std::uint64_t> unchecked, damaged;
    std::atomic<std::uint64_t> distrusted;  // chunks not checked, or not to be believed
    std::atomic<std::uint32_t> shrunk;  // 1: someone replaces what is gone, 2: it is done
    std::atomic<std::uint64_t> status_ns;  // the ctime for which all checks still hold
  };
  using word = std::atomic<std::uint64_t>;

  // Closed by its owner.
  struct BLOOMERY_EXPORT descriptor {
    explicit descriptor(int n) noexcept : number(n) {}
    descriptor(descriptor&& other) noexcept : number(std::exchange(other.number, -1)) {}
    descriptor& operator=(descriptor&& other) noexcept {
      std::swap(number, other.number);
      return *this;
    }
    ~descriptor();
    int number;
  };

  chunk_guard(pages state, descriptor file) noexcept
      : state_(std::move(state)), file_(std::move(file)) {}

  const counters& state() const noexcept {
    return *reinterpret_cast<const counters*>(state_.data());
  }
  counters& state() noexcept { return *reinterpret_cast<counters*>(state_.data()); }
  // One bit per chunk, three times: checked, claimed, damaged (under either rule).
  const word* checked() const noexcept {
    return reinterpret_cast<const word*>(state_.data() + 64);
  }
  word* bits(unsigned which) const noexcept;
  bool is_damaged(std::uint64_t chunk) const noexcept {
    return (bits(2)[chunk / 64].load(std::memory_order_relaxed) >> (chunk % 64) & 1) != 0;
  }
  void check(std::uint64_t chunk) const noexcept;
  void check_group(std::uint64_t first) const noexcept;
  bool mark_damaged(std::uint64_t chunk) const noexcept;
  void distrust_from(std::uint64_t byte) const noexcept;
  void settle(std::uint64_t chunk, bool good) const noexcept;
  void notice_shrinking() const noexcept;
  bool matches(std::uint64_t chunk, std::uint32_t crc) const noexcept;
  std::uint64_t matching(std::uint64_t first, std::uint64_t mask) const noexcept;
  bool has_same_checksums() const noexcept;
  bool has_same_chunks() const noexcept;

  mutable pages state_;
  std::span<std::byte> payload_;
  std::uint64_t length_ = 0, chunks_ = 0;
  damage_rule rule_ = damage_rule::ones;
  std::span<const std::byte> checksums_;
  std::span<std::byte> mapping_;
  file_stamp stamp_;
  std::uint64_t checksums_at_ = 0;
  descriptor file_;
};

}  // namespace bloomery::inline v1
