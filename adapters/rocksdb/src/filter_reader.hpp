// Lookups in one of our filters, in the bytes of the block that RocksDB keeps.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <utility>

#include <bloomery/filter_view.hpp>
#include <bloomery/hasher.hpp>

#include "internal_classes.hpp"
#include "slices.hpp"

namespace bloomery_rocksdb {

template <class F>
class filter_reader final : public rocksdb::FilterBitsReader {
 public:
  // Null if the bytes are not a filter of this type, or there is no memory.
  static filter_reader* over(std::span<const std::byte> bytes) noexcept {
    auto view = bloomery::table_filter_view<F>::over(bytes);
    return view ? new (std::nothrow) filter_reader(*std::move(view)) : nullptr;
  }

  bool MayMatch(const rocksdb::Slice& key) override {
    return view_.filter().may_contain(hasher_.hash(text_of(key)));
  }
  // RocksDB has up to 32 keys in a batch.
  void MayMatch(int count, rocksdb::Slice** keys, bool* answers) override {
    constexpr std::size_t group = 32;
    std::array<bloomery::key, group> hashed;
    for (std::size_t i = 0, n = static_cast<std::size_t>(std::max(count, 0)); i < n;) {
      const std::size_t some = std::min(group, n - i);
      for (std::size_t j = 0; j < some; ++j)
        hashed[j] = hasher_.hash(text_of(*keys[i + j]));
      view_.filter().may_contain(std::span<const bloomery::key>(hashed).first(some),
                                 std::span(answers + i, some));
      i += some;
    }
  }

 private:
  explicit filter_reader(bloomery::table_filter_view<F> view) noexcept
      : view_(std::move(view)) {}

  bloomery::table_filter_view<F> view_;
  bloomery::hasher hasher_ = bloomery::hasher::xxh3();
};

// The same answer for every key: false for a filter of no keys, true for bytes that
// nobody has written.
class constant_reader final : public rocksdb::FilterBitsReader {
 public:
  explicit constant_reader(bool answer) noexcept : answer_(answer) {}
  bool MayMatch(const rocksdb::Slice&) override { return answer_; }
  void MayMatch(int count, rocksdb::Slice**, bool* answers) override {
    std::fill_n(answers, std::max(count, 0), answer_);
  }

 private:
  bool answer_;
};

}  // namespace bloomery_rocksdb
