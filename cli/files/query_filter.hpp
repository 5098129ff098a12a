// A filter to be queried: a native one in a mapped container, a bare portable one,
// another system's, or many in one file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include <bloomery/any_filter.hpp>
#include <bloomery/container.hpp>
#include <bloomery/foreign_filter.hpp>
#include <bloomery/packed_set.hpp>

#include "files/dialects.hpp"
#include "files/source.hpp"
#include "keys/native_keys.hpp"

namespace bloomery::cli {

struct query_filter {
  // any_filter: a bare portable one.
  using any_source = std::variant<any_view, any_filter, foreign_filter, packed_set>;

  std::string path;
  const dialect* how;
  any_source filter;
  std::optional<container_facts> container;          // its header, if it has one
  std::uint64_t damaged_at_loading = 0;              // chunks of a wrapped dialect
  std::uint64_t part = foreign_options::every_part;  // of a packed set
  native_keys keys = {};                // of another system's filter, only their encoding
  const filter_file* mapped = nullptr;  // the file of bare bytes that are mapped

  // REQUIRES: out.size() == encoded.size()
  void may_contain(std::span<const std::string_view> encoded, std::span<bool> out) const;

  // Whether what is written to the file may show in answers.
  bool is_mapped() const;
  // After each batch of answers, before they are used.  Throws failure: the file was
  // changed, and they may be wrong.
  void check_unchanged() const;

  // "native", "portable", "guava", "guava in a container"
  std::string dialect_name() const;

  // Whether its own checksums, not those of a container, were right when it was opened.
  bool is_checked() const;

  // Damage found so far, in words; lookups that read it answer "possibly present".
  std::optional<std::string> damage() const;
};

// Throws failure.  REQUIRES: `from` outlives it
query_filter open_filter(source& from);

// What was read from a file, and from its filter if it could be opened, came from one
// state of the file.  Throws failure.
void check_unchanged(const source& from, const query_filter* filter);

// Reads every byte of a container.  Throws failure if more than chunks are damaged.
// REQUIRES: from.container
read_report check_container(const source& from);

// "3 of 40 chunks damaged, first at byte 8192", of a filter that cannot be queried; of
// one that can, "...; lookups there answer \"possibly present\""
std::string damaged_chunks_in_words(const read_report& report);
std::string damage_in_words(const read_report& report);

}  // namespace bloomery::cli
