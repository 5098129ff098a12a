// Builds a filter from a stream of keys, sized for exactly its distinct keys, with the
// notes that a container records.
//
//   bloomery::filter_builder all;
//   while (...) all.add(keys);
//   auto built = all.finish(bloomery::container_kind::block, {.fpr = 0.001}, hash);
//   save_container(built->filter, path, built->notes());
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/any_filter.hpp>
#include <bloomery/container.hpp>
#include <bloomery/distinct_keys.hpp>
#include <bloomery/export.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/kind.hpp>
#include <bloomery/result.hpp>
#include <bloomery/sizing.hpp>

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

// Memory: 8 bytes per distinct key, plus 12 MiB.
class BLOOMERY_EXPORT filter_builder {
 public:
  // Errors: out_of_memory.
  result<void> add(std::span<const key> ks) noexcept { return keys_.add(ks); }

  // A filter of all keys, hashed by `h`, sized for `keys` or, if that is 0, for the
  // distinct ones.  The builder is empty afterwards.
  // Errors: as kind_info::build.  REQUIRES: threads >= 1
  result<built_filter> finish(container_kind kind, const size_request& size,
                              const hasher& h, unsigned threads = 1,
                              std::uint64_t keys = 0) noexcept;

 private:
  distinct_keys keys_;
};

}  // namespace bloomery::inline v1
