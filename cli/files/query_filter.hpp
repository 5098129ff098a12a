// A filter that is asked: one of our own in a mapped container, a bare portable one,
// another system's, or many in one file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <bloomery/container.hpp>
#include <bloomery/filter_view.hpp>
#include <bloomery/foreign_filter.hpp>
#include <bloomery/packed_set.hpp>
#include <bloomery/portable_bloom.hpp>

#include "files/dialects.hpp"
#include "files/read_request.hpp"
#include "keys/key_type.hpp"

namespace bloomery::cli {

struct opened {
  using held = std::variant<filter_view<block_bloom>, filter_view<split_block_bloom>,
                            filter_view<bloom>, filter_view<portable_bloom>,
                            portable_bloom, foreign_filter, packed_set>;

  std::string path;
  const dialect* how;
  held filter;
  std::optional<container_facts> container;          // its header, if it lies in one
  std::uint64_t damaged_at_loading = 0;              // of chunks of a wrapped dialect
  std::uint64_t part = foreign_options::every_part;  // of a packed set
  key_encoding encoding = {};                        // of the keys that are asked

  // REQUIRES: out.size() == keys.size()
  void may_contain(std::span<const std::string_view> keys, std::span<bool> out) const;

  // "native", "portable", "guava", "guava in a container"
  std::string dialect_name() const;

  // Damage that has shown so far, in words; lookups that meet it answer "perhaps".
  std::optional<std::string> damage() const;
};

// Opens `path` as r.dialect, or as the only dialect it can be.  Throws failure.
opened open_filter(const std::string& path, const read_request& r);

// Reads every byte of a container.  Throws failure if more than chunks are damaged.
read_report check_container(const std::string& path);

// Those of a container whose checksums agree.  Throws failure.
std::vector<std::uint64_t> sentinels_of(const std::string& path,
                                        const container_facts& facts);

// "3 of 40 chunks damaged, first at byte 8192", of a filter that cannot be asked; of one
// that can, "...; they answer \"perhaps\""
std::string damaged_chunks_in_words(const read_report& report);
std::string damage_in_words(const read_report& report);

}  // namespace bloomery::cli
