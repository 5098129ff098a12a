// Builds a filter from a stream of keys, sized for exactly its distinct keys, with the
// notes that a container records.
//
//   bloomery::filter_builder all;
//   while (...) all.add(keys);
//   auto built = all.finish(bloomery::container_kind::block, {.fpr = 0.001}, hash);
//   save_container(built->filter, path, built->notes());
//
// Keys that do not fit in memory are sorted on disk:
//
//   auto all = bloomery::filter_builder::make({.memory_limit = 2u << 30});
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include <bloomery/any_filter.hpp>
#include <bloomery/container.hpp>
#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/distinct_keys.hpp>
#include <bloomery/detail/format/key_spool.hpp>
#include <bloomery/detail/kind_facts.hpp>
#include <bloomery/detail/sizing.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// What a builder returns: the filter, and what it counted on the way.
struct built_filter {
  any_filter filter;
  double asked_fpr = 0;         // 0: sized by another rule
  std::uint64_t keys = 0;       // distinct ones
  sentinel_picker sentinels{};  // of all keys

  // For save_container; empty where the kind keeps no sentinels.
  write_notes notes() const noexcept {
    if (!filter.facts().keeps_sentinels) return {.asked_fpr = asked_fpr};
    return {.asked_fpr = asked_fpr, .keys = keys, .sentinels = sentinels.all()};
  }
};

// Called while a filter is built, by the thread that called finish: how many of the keys
// are in.  An error that it returns ends the build, and is what finish returns.
struct build_watch {
  result<void> (*call)(void* context, std::uint64_t done,
                       std::uint64_t all) noexcept = nullptr;
  void* context = nullptr;
};

// Memory: 8 bytes per distinct key, plus 12 MiB; or within a limit.  The filter is the
// same in either case.
class BLOOMERY_EXPORT filter_builder {
 public:
  filter_builder() noexcept = default;

  // A builder that takes no more memory than the limit for keys and filter together;
  // keys beyond that go to temporary files (key_spool.hpp).  What a kind that is only
  // built needs meanwhile comes on top; its header says how much.
  // Errors: as key_spool::make.
  static result<filter_builder> make(const spool_options& limits) noexcept;

  // Errors: out_of_memory; with a limit, those of key_spool::add.
  result<void> add(std::span<const key> ks) noexcept {
    return spool_ ? spool_->add(ks) : keys_.add(ks);
  }

  // Distinct keys so far.  Errors: out_of_memory, io.  REQUIRES: threads >= 1
  result<std::uint64_t> count(unsigned threads = 1) noexcept;

  // A filter of all keys, hashed by `h`, sized for `keys` or, if that is 0, for the
  // distinct ones.  The builder is empty afterwards.
  // Errors: as kind_info::build; with a limit, those of key_spool, and too_large if the
  // filter does not fit in it (possible: a limit that is enough); what `watch` returns.
  // REQUIRES: threads >= 1
  result<built_filter> finish(container_kind kind, const size_request& size,
                              const hasher& h, unsigned threads = 1,
                              std::uint64_t keys = 0, build_watch watch = {}) noexcept;

 private:
  distinct_keys keys_;
  std::optional<key_spool> spool_;  // instead, if there is a limit
};

}  // namespace bloomery::inline v1
