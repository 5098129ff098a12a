// The metrics of a service's filters, in Prometheus's text format and in JSON.
//
// live_metrics is a snapshot of one moment: numbers, and views of text and rows that the
// caller owns.  Names, units and what to alert on: docs/metrics.md.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/live/observed_rate.hpp>

namespace bloomery::inline v1 {

// The figures of one tenant.
struct tenant_metrics {
  std::string_view tenant;
  lookup_counts lookups;
  observed_rate observed;
  bool alarm = false;  // tenant_rates.hpp
};

// Optional: not known, or too slow to compute for this snapshot (fill and the figures
// derived from it read every bit).
struct live_metrics {
  std::string_view name;  // of the filter, unlike that of any other in one text
  std::string_view kind;  // such as "block_bloom"

  std::uint64_t generation = 0;
  double generation_age_seconds = 0;
  std::uint64_t capacity_keys = 0;  // 0: not recorded
  std::uint64_t size_bytes = 0;
  std::uint64_t damaged_chunks = 0;  // of the file it was loaded from
  bool killed = false;

  std::optional<double> fill;
  std::optional<double> estimated_keys;
  std::optional<double> asked_fpr;
  std::optional<double> realised_fpr;
  observed_rate observed;
  // Until the target rate is exceeded: 0 if it is, infinite if it will not be.
  std::optional<double> exceeded_in_seconds;

  lookup_counts lookups;
  std::uint64_t inserts = 0;

  std::uint64_t rebuilds_started = 0;
  std::uint64_t rebuilds_succeeded = 0;
  std::uint64_t rebuilds_rolled_back = 0;
  std::uint64_t rebuild_keys_done = 0;      // of the one that runs, or of the last
  std::uint64_t rebuild_keys_expected = 0;  // 0: not known
  double rebuild_seconds = 0;

  std::uint64_t snapshots = 0;
  double last_snapshot_seconds = 0;  // how long it took

  std::span<const tenant_metrics> tenants;
};

// Receives the text in pieces of some hundred bytes.  Must not throw.
struct text_sink {
  void (*call)(void* context, std::string_view piece) = nullptr;
  void* context = nullptr;
};

// Prometheus's text format 0.0.4; serve it as prometheus_content_type.  What is not known
// is NaN.  Names that are not UTF-8 are written with U+FFFD in place of the wrong bytes,
// as one such label would make a scraper drop all.
inline constexpr std::string_view prometheus_content_type =
    "text/plain; version=0.0.4; charset=utf-8";
BLOOMERY_EXPORT void to_prometheus(std::span<const live_metrics> filters,
                                   text_sink sink) noexcept;

// {"filters": [{"name": ..., NUMBER: ..., "tenants": [...]}, ...]}, numbers named as
// above without "bloomery_".  What is not known is null; an infinite number, which JSON
// lacks, is the text "+Inf" or "-Inf".
BLOOMERY_EXPORT void to_json(std::span<const live_metrics> filters,
                             text_sink sink) noexcept;

// The same, appended to a std::string or the like.  All memory is allocated here, where
// an allocation may throw.
template <class String>
void append_text(void (*write)(std::span<const live_metrics>, text_sink) noexcept,
                 std::span<const live_metrics> filters, String& out) {
  std::size_t size = 0;
  write(filters, {[](void* sum, std::string_view piece) {
                    *static_cast<std::size_t*>(sum) += piece.size();
                  },
                  &size});
  const std::size_t before = out.size();
  out.resize(before + size);
  char* at = out.data() + before;
  write(filters, {[](void* to, std::string_view piece) {
                    char*& next = *static_cast<char**>(to);
                    next = std::ranges::copy(piece, next).out;
                  },
                  &at});
}

}  // namespace bloomery::inline v1
