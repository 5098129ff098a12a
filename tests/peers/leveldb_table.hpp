// A LevelDB table file taken apart, as far as its filter block needs.  It trusts the
// file: LevelDB wrote it a moment ago, without compression.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bloomery::testing {

class leveldb_table {
 public:
  explicit leveldb_table(std::string_view file) : file_(file) {
    std::string_view footer = file.substr(file.size() - 48);
    const block meta = take_block(footer), index = take_block(footer);
    for (const auto& [key, value] : entries(meta.bytes)) {
      std::string_view handle = value;
      if (key == "filter.leveldb.BuiltinBloomFilter2") filter_ = take_block(handle).bytes;
    }
    for (auto& [key, value] : entries(index.bytes)) {
      std::string_view handle = value;
      index_.push_back({std::move(key), take_block(handle).at});
    }
  }

  std::string_view filter_block() const { return filter_; }

  // Where the data block begins that would hold the key.
  std::uint64_t block_of(std::string_view key) const {
    for (const auto& [last, at] : index_)
      if (key <= std::string_view(last).substr(0, last.size() - 8)) return at;
    throw std::runtime_error("a key after the last block");
  }

 private:
  struct block {
    std::uint64_t at;
    std::string_view bytes;
  };

  static std::uint64_t take_varint(std::string_view& from) {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(from.at(0));
      from.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
  }

  block take_block(std::string_view& handle) const {
    const std::uint64_t at = take_varint(handle), size = take_varint(handle);
    return {at, file_.substr(at, size)};
  }

  // Each says how many bytes of its key are those of the key before.
  static std::vector<std::pair<std::string, std::string_view>> entries(
      std::string_view block) {
    std::uint32_t restarts = 0;
    for (std::size_t i = 0; i < 4; ++i)
      restarts |= std::uint32_t{static_cast<unsigned char>(block[block.size() - 4 + i])}
                  << (8 * i);
    block.remove_suffix(4 + 4 * std::size_t{restarts});
    std::vector<std::pair<std::string, std::string_view>> out;
    std::string key;
    while (!block.empty()) {
      const std::uint64_t shared = take_varint(block), added = take_varint(block),
                          size = take_varint(block);
      key.resize(shared);
      key += block.substr(0, added);
      out.emplace_back(key, block.substr(added, size));
      block.remove_prefix(added + size);
    }
    return out;
  }

  std::string_view file_, filter_;
  // A key that none of the block's exceeds, with the 8 bytes LevelDB appends; where it
  // is.
  std::vector<std::pair<std::string, std::uint64_t>> index_;
};

}  // namespace bloomery::testing
