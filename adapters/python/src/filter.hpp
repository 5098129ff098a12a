// bloomery.Filter: a filter of any kind.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include <bloomery/any_filter.hpp>
#include <bloomery/build.hpp>

#include "fields.hpp"
#include "key_calls.hpp"
#include "options.hpp"
#include "python.hpp"
#include "turns.hpp"

namespace bloomery::py {

// What a builder knows of a filter; until the filter's keys change.
struct builder_notes {
  double asked_fpr = 0;
  std::uint64_t keys = 0;
  sentinel_picker sentinels{};

  // REQUIRES: this object outlives them
  write_notes written() const noexcept { return {asked_fpr, keys, sentinels.all()}; }
};

struct filter_object {
  any_filter filter;
  hasher hash;
  // Whether its kind inserts without ever refusing a key.
  bool always_inserts;
  std::optional<builder_notes> built = std::nullopt;
  std::uint64_t damaged_chunks = 0;
  mutable turns access{};

  explicit filter_object(any_filter f)
      : filter(std::move(f)),
        hash(filter.hasher()),
        always_inserts(filter.can(capability::insert)) {}
  // For nanobind, which moves what a function returns.  The old one is unused.
  filter_object(filter_object&& other) noexcept
      : filter(std::move(other.filter)),
        hash(other.hash),
        always_inserts(other.always_inserts),
        built(other.built),
        damaged_chunks(other.damaged_chunks) {}

  bool ask(key k) const noexcept { return filter.may_contain(k); }
  void ask(std::span<const key> ks, std::span<bool> out) const noexcept {
    filter.may_contain(ks, out);
  }
  result<void> add(key k) noexcept {
    const auto done = always_inserts ? filter.insert(k) : try_insert(k);
    if (done) built.reset();
    return done;
  }
  added_keys add(std::span<const key> ks) noexcept;

  const any_filter& measurable() const noexcept { return filter; }
  // For its fields.  `checked`: every byte of it was, when it was read.
  described_filter fields(bool checked) const noexcept;
  write_notes notes() const noexcept { return built ? built->written() : write_notes{}; }

 private:
  // The error of a kind that is only built names the call insert.
  result<void> try_insert(key k) noexcept {
    return filter.can(capability::try_insert) ? filter.try_insert(k) : filter.insert(k);
  }
};

void bind_filter(nb::module_& m);

}  // namespace bloomery::py
