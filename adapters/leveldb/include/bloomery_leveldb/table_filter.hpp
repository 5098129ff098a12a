// One filter for a whole table, in a file of its own: for engines that keep the filter of
// a table in memory or map it, as LevelDB's relatives do.
//
//   bloomery_leveldb::table_filter_builder builder;
//   for (key of the table) builder.add(key);               // any order
//   builder.save("000123.bloom", {.bits_per_key = 10});    // beside 000123.ldb
//
//   auto filter = bloomery_leveldb::table_filter<>::open("000123.bloom");
//   if (!filter->may_contain(key)) ...                     // definitely not in the table
//
// The file is a container of the library, with checksums; `bloomery info` and `verify`
// read it, and opening it maps it.  The default kind answers from one cache line; ribbon
// filters are a third smaller at the same rate, and a lookup takes several times as long:
// for the last level.  How many bits each level deserves: model::budget (model.hpp).
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <bloomery/any_filter.hpp>
#include <bloomery/block_bloom.hpp>
#include <bloomery/build.hpp>
#include <bloomery/container.hpp>
#include <bloomery/filter_view.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/kinds.hpp>
#include <bloomery/result.hpp>

namespace bloomery_leveldb {

// Hash a key once for all tables: filter.hash(key), then may_contain(that) of each.
template <bloomery::listed_filter F = bloomery::block_bloom>
using table_filter = bloomery::filter_view<F>;

// 8 bytes of memory per distinct key until the filter is saved.  One thread at a time.
class table_filter_builder {
 public:
  // Errors: out_of_memory.
  bloomery::result<void> add(std::string_view user_key) {
    const bloomery::key k = hasher_.hash(user_key);
    return keys_.add({&k, 1});
  }

  // Replaces the file whole or not at all, and starts again with no keys.  Versions of
  // one key count once.  Errors: those of the kind (kind_info::build), io.
  template <bloomery::listed_filter F = bloomery::block_bloom>
  bloomery::result<void> save(const char* path, const bloomery::size_request& size) {
    const auto built = keys_.finish(F::kind.number, size, hasher_);
    if (!built) return built.error();
    return save_any(built->filter, path, built->notes());
  }

 private:
  bloomery::hasher hasher_ = bloomery::hasher::xxh3();
  bloomery::filter_builder keys_;
};

}  // namespace bloomery_leveldb
