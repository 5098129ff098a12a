// Tables of LevelDB and RocksDB as they are laid out by their documentation: what the
// readers of whole tables are tested with where the engines are not there, or make none
// of this form.  Data is never looked at, and only its length is there.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/crc32c.hpp"
#include "hash/xxh.hpp"
#include "nori_images.hpp"

namespace bloomery::testing {

using table_bytes = std::vector<std::byte>;

inline void put_varint(table_bytes& to, std::uint64_t v) {
  for (; v >= 0x80; v >>= 7) to.push_back(static_cast<std::byte>(v | 0x80));
  to.push_back(static_cast<std::byte>(v));
}

struct block_handle {
  std::uint64_t at = 0, size = 0;

  table_bytes bytes() const {
    table_bytes out;
    put_varint(out, at);
    put_varint(out, size);
    return out;
  }
};

enum class table_sum : std::uint8_t { none, crc32c, xxhash, xxhash64, xxh3 };

inline std::uint32_t sum_of_table_bytes(table_sum how, std::span<const std::byte> all) {
  const std::string_view text(reinterpret_cast<const char*>(all.data()), all.size());
  switch (how) {
    case table_sum::crc32c:
      return std::rotr(base::crc32c(all), 15) + 0xa282ead8;
    case table_sum::xxhash:
      return hash::xxh32(text, 0);
    case table_sum::xxhash64:
      return static_cast<std::uint32_t>(hash::xxh64(text, 0));
    case table_sum::xxh3: {
      const auto last = static_cast<std::uint8_t>(text.back());
      return static_cast<std::uint32_t>(hash::xxh3(text.substr(0, text.size() - 1), 0)) ^
             last * 0x6b9083d9u;
    }
    default:
      return 0;
  }
}

// A file that is written block by block.
struct table_writer {
  table_sum sums = table_sum::crc32c;
  std::uint32_t context = 0;
  table_bytes out{};

  std::uint32_t sum(std::span<const std::byte> all, std::uint64_t at) const {
    const std::uint32_t plain = sum_of_table_bytes(sums, all);
    if (context == 0) return plain;
    return plain + (context ^ (static_cast<std::uint32_t>(at) +
                               static_cast<std::uint32_t>(at >> 32)));
  }
  block_handle block(std::span<const std::byte> bytes, std::uint8_t compression = 0) {
    const block_handle h{out.size(), bytes.size()};
    put_bytes(out, bytes);
    put(out, compression);
    put(out, sum(std::span(out).subspan(h.at), h.at));
    return h;
  }
};

// Entries that share the beginnings of their keys, with restarts every `step` of them.
// `sizes_are_deltas`: values are places, in the short form of RocksDB's indexes.
class entry_block {
 public:
  explicit entry_block(std::size_t step = 1, bool sizes_are_deltas = false)
      : step_(step), deltas_(sizes_are_deltas) {}

  void add(const std::string& key, std::span<const std::byte> value) {
    begin(key, value.size());
    put_bytes(out_, value);
  }
  void add(const std::string& key, block_handle place) {
    if (!deltas_) return add(key, place.bytes());
    if (begin(key, 0) == 0) {
      put_bytes(out_, place.bytes());
    } else {
      const auto more = static_cast<std::int64_t>(place.size - before_.size);
      put_varint(out_, static_cast<std::uint64_t>(more) << 1 ^
                           static_cast<std::uint64_t>(more >> 63));
    }
    before_ = place;
  }

  table_bytes finish() {
    if (restarts_.empty()) restarts_.push_back(0);
    for (const std::uint32_t r : restarts_) put(out_, r);
    put(out_, static_cast<std::uint32_t>(restarts_.size()));
    return out_;
  }

 private:
  // Bytes that the key shares with the one before.
  std::size_t begin(const std::string& key, std::size_t value) {
    std::size_t shared = 0;
    if (count_++ % step_ == 0)
      restarts_.push_back(static_cast<std::uint32_t>(out_.size()));
    else
      while (shared < key.size() && shared < last_.size() && key[shared] == last_[shared])
        ++shared;
    put_varint(out_, shared);
    put_varint(out_, key.size() - shared);
    if (!deltas_) put_varint(out_, value);
    put_text(out_, std::string_view(key).substr(shared));
    last_ = key;
    return shared;
  }

  std::size_t step_;
  bool deltas_;
  table_bytes out_;
  std::vector<std::uint32_t> restarts_;
  std::string last_;
  block_handle before_;
  std::size_t count_ = 0;
};

// --- RocksDB ---

struct sst_form {
  std::uint32_t format = 5;
  table_sum sums = table_sum::xxh3;
  std::uint32_t context = 0x12345678;  // of format 6 and later
  std::size_t step = 1;                // of the index of partitions
  bool with_sequence = false;          // behind its keys
  std::string policy = "rocksdb.BuiltinBloomFilter";
  std::vector<std::pair<std::string, std::string>> properties{};  // added, in order
  std::size_t data = 3000;                                        // bytes before
  std::uint8_t compression = 0;  // what the filter block says of itself
};

inline table_bytes text_bytes(std::string_view text) {
  table_bytes out;
  put_text(out, text);
  return out;
}

// The properties that a reader needs; names ascend, as there.
inline table_bytes sst_properties(const sst_form& f, std::uint64_t filter_entries) {
  const auto number = [](std::uint64_t n) {
    table_bytes v;
    put_varint(v, n);
    return std::string(reinterpret_cast<const char*>(v.data()), v.size());
  };
  const bool deltas = f.format >= 4;
  std::vector<std::pair<std::string, std::string>> all{
      {"rocksdb.block.based.table.prefix.filtering", "0"},
      {"rocksdb.block.based.table.whole.key.filtering", "1"},
      {"rocksdb.comparator", "leveldb.BytewiseComparator"},
      {"rocksdb.filter.policy", "test"},
      {"rocksdb.index.key.is.user.key", number(f.with_sequence ? 0 : 1)},
      {"rocksdb.index.value.is.delta.encoded", number(deltas ? 1 : 0)},
      {"rocksdb.num.entries", number(filter_entries)},
      {"rocksdb.num.filter_entries", number(filter_entries)}};
  for (const auto& [name, value] : f.properties) {
    bool is_new = true;
    for (auto& [known, text] : all)
      if (known == name) {
        text = value;
        is_new = false;
      }
    if (is_new) all.emplace_back(name, value);
  }
  entry_block block(1 << 20);
  for (const auto& [name, value] : all) block.add(name, text_bytes(value));
  return block.finish();
}

// A table of these filters: one is a full filter, several are partitions up to these
// keys.
inline table_bytes sst_image(const std::vector<table_bytes>& filters,
                             const std::vector<std::string>& last_keys,
                             std::uint64_t filter_entries, const sst_form& f = {}) {
  table_writer to{f.sums, f.format >= 6 ? f.context : 0};
  to.block(table_bytes(f.data, std::byte{'d'}));
  block_handle filter;
  const bool partitioned = !last_keys.empty();
  if (!partitioned) {
    filter = to.block(filters.at(0), f.compression);
  } else {
    entry_block index(f.step, f.format >= 4);
    for (std::size_t i = 0; i < filters.size(); ++i)
      index.add(last_keys[i] + (f.with_sequence ? std::string(8, '\1') : ""),
                to.block(filters[i]));
    filter = to.block(index.finish(), f.compression);
  }
  const auto index = to.block(entry_block().finish());
  const auto properties = to.block(sst_properties(f, filter_entries));
  entry_block meta;
  meta.add((partitioned ? "partitionedfilter." : "fullfilter.") + f.policy,
           filter.bytes());
  if (f.format >= 6) meta.add("rocksdb.index", index.bytes());
  meta.add("rocksdb.properties", properties.bytes());
  const auto metaindex = to.block(meta.finish());

  const std::size_t footer = to.out.size();
  if (f.format > 0) to.out.push_back(static_cast<std::byte>(f.sums));
  if (f.format < 6) {
    put_bytes(to.out, metaindex.bytes());
    put_bytes(to.out, index.bytes());
    to.out.resize(footer + (f.format > 0 ? 41 : 40));
  } else {
    put(to.out, std::uint32_t{0x007a003e});
    put(to.out, std::uint32_t{0});
    put(to.out, f.context);
    put(to.out, static_cast<std::uint32_t>(metaindex.size));
    to.out.resize(footer + 41);
  }
  if (f.format > 0) put(to.out, f.format);
  put(to.out, f.format > 0 ? 0x88e241b785f4cff7 : 0xdb4775248b80fb57);
  if (f.format >= 6) {
    const std::uint32_t sum = to.sum(std::span(to.out).subspan(footer), footer);
    for (std::size_t i = 0; i < 4; ++i)
      to.out[footer + 5 + i] = static_cast<std::byte>(sum >> (8 * i));
  }
  return to.out;
}

// --- LevelDB ---

// Data blocks of `a_block` keys, which ascend, every `stride` bytes; each but an empty
// one has the filter that `filter_of` makes of its keys.
template <class FilterOf>  // table_bytes(std::vector<std::string>)
table_bytes ldb_image(const std::vector<std::string>& keys, std::size_t a_block,
                      std::size_t stride, FilterOf filter_of,
                      const std::string& policy = "leveldb.BuiltinBloomFilter2") {
  table_writer to;
  entry_block index;
  std::vector<std::vector<std::string>> by_filter;
  for (std::size_t i = 0; i < keys.size(); i += a_block) {
    const auto from = keys.begin() + static_cast<std::ptrdiff_t>(i);
    const std::vector<std::string> some(
        from, from + static_cast<std::ptrdiff_t>(std::min(a_block, keys.size() - i)));
    const auto place = to.block(table_bytes(stride - 5, std::byte{'d'}));
    by_filter.resize(place.at / 2048 + 1);
    auto& in = by_filter.back();
    in.insert(in.end(), some.begin(), some.end());
    index.add(some.back() + std::string(8, '\1'), place.bytes());
  }
  table_bytes filters;
  std::vector<std::uint32_t> starts;
  for (const auto& some : by_filter) {
    starts.push_back(static_cast<std::uint32_t>(filters.size()));
    if (!some.empty()) put_bytes(filters, filter_of(some));
  }
  const auto array = static_cast<std::uint32_t>(filters.size());
  for (const std::uint32_t s : starts) put(filters, s);
  put(filters, array);
  put(filters, std::uint8_t{11});
  entry_block meta;
  meta.add("filter." + policy, to.block(filters).bytes());
  const auto metaindex = to.block(meta.finish());
  const auto index_at = to.block(index.finish());
  const std::size_t footer = to.out.size();
  put_bytes(to.out, metaindex.bytes());
  put_bytes(to.out, index_at.bytes());
  to.out.resize(footer + 40);
  put(to.out, std::uint64_t{0xdb4775248b80fb57});
  return to.out;
}

}  // namespace bloomery::testing
