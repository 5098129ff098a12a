// Builds the filters of one table: one whole, or one per partition.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <optional>

#include <bloomery/any_filter.hpp>
#include <bloomery/filter_view.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/kinds.hpp>

#include "bloomery_rocksdb/level_filter.hpp"
#include "hash_list.hpp"
#include "internal_classes.hpp"
#include "own_forms.hpp"
#include "slices.hpp"

namespace bloomery_rocksdb {

class filter_builder final : public rocksdb::FilterBitsBuilder {
 public:
  // verify: look every key up in the finished filter, as RocksDB's option
  // detect_filter_construct_corruption wants it.
  // REQUIRES: is_own(f.form)
  filter_builder(const level_filter& f, bool verify) noexcept
      : form_(f.form),
        row_(*kind_of(f.form)),
        bits_per_key_(f.fpr > 0 ? 0 : std::clamp(f.bits_per_key, 1.0, 100.0)),
        verify_(verify) {
    if (f.fpr > 0) by_rate_.fpr = f.fpr;
  }

  // Versions of a key follow each other, and so do the keys of a prefix.
  void AddKey(const rocksdb::Slice& key) override { add(hasher_.hash(text_of(key))); }
  // Both, of which either may be that of the last call.
#if BLOOMERY_ROCKSDB_HAS_ALT
  void AddKeyAndAlt(const rocksdb::Slice& key, const rocksdb::Slice& alt) override {
    const bloomery::key whole = hasher_.hash(text_of(key)),
                        other = hasher_.hash(text_of(alt));
    const bool is_new_alt = last_alt_ != other && other != whole;
    add(whole);
    if (!is_new_alt) return;
    hashes_.push(other);
    last_alt_ = other;
  }
#endif
  std::size_t EstimateEntriesAdded() override { return hashes_.size(); }

  rocksdb::Slice Finish(std::unique_ptr<const char[]>* bits) override {
    return Finish(bits, nullptr);
  }
  rocksdb::Slice Finish(std::unique_ptr<const char[]>* bits,
                        rocksdb::Status* status) override {
    if (status != nullptr) *status = rocksdb::Status::OK();
    bits->reset();
    const rocksdb::Slice filter = hashes_.failed()      ? matches_everything()
                                  : hashes_.size() == 0 ? matches_nothing()
                                                        : built(*bits);
    if (!verify_) hashes_.clear();
    last_ = last_alt_ = std::nullopt;
    return filter;
  }

  rocksdb::Status MaybePostVerify(const rocksdb::Slice& bits) override {
    if (!verify_) return rocksdb::Status::OK();
    const auto all = hashes_.keys();
    const bool has_all = all.empty() || hashes_.failed() || finds_all(bits, all);
    hashes_.clear();
    return has_all ? rocksdb::Status::OK()
                   : rocksdb::Status::Corruption(
                         "a filter lacks a key that it was built from");
  }

  std::size_t ApproximateNumEntries(std::size_t bytes) override {
    std::size_t fits = 0, too_many = 8 * std::min(bytes, std::size_t{1} << 40) + 1;
    while (fits + 1 < too_many) {
      const std::size_t middle = fits + (too_many - fits) / 2;
      (space_of(middle) <= bytes ? fits : too_many) = middle;
    }
    return fits;
  }

#if BLOOMERY_ROCKSDB_HAS_SPACE
  std::size_t CalculateSpace(std::size_t keys) override { return space_of(keys); }
  double EstimatedFpRate(std::size_t keys, std::size_t bytes) override {
    if (keys == 0) return 0;
    bloomery::size_request within;
    within.memory = bytes;
    const auto size = row_.size(keys, within);
    return size ? size->expected_fpr : 1;
  }
#endif

 private:
  void add(bloomery::key k) noexcept {
    if (last_ == k) return;
    hashes_.push(k);
    last_ = k;
  }
  // Whole lines, as RocksDB's own filters: what rounding adds, small filters use.
  bloomery::size_request request_for(std::size_t keys) const noexcept {
    if (bits_per_key_ == 0) return by_rate_;
    constexpr double line = 64;
    const double bytes = static_cast<double>(keys) * bits_per_key_ / 8;
    bloomery::size_request r;
    r.memory = static_cast<std::uint64_t>(std::ceil(bytes / line) * line);
    return r;
  }
  // Bytes of a filter for so many keys; the most there are if there is none.
  std::size_t space_of(std::size_t keys) const noexcept {
    if (keys == 0) return matches_nothing().size();
    const auto size = row_.layout(keys, request_for(keys));
    return size ? static_cast<std::size_t>(size->bytes) +
                      bloomery::table_filter_trailer(row_.facts.number)
                : std::numeric_limits<std::size_t>::max();
  }
  rocksdb::Slice built(std::unique_ptr<const char[]>& bits) const noexcept {
    const auto all = hashes_.keys();
    auto made = row_.build(all, all.size(), request_for(all.size()), hasher_, 1);
    if (!made) return matches_everything();
    return made->visit([&]<class F>(const F& filter) noexcept -> rocksdb::Slice {
      const auto size = bloomery::table_filter_size(filter);
      if (!size) return matches_everything();
      const auto bytes = static_cast<std::size_t>(*size);
      bits.reset(new (std::nothrow) char[bytes]);
      if (!bits) return matches_everything();
      auto* const to = reinterpret_cast<std::byte*>(const_cast<char*>(bits.get()));
      bloomery::write_table_filter(filter, {to, bytes});
      return {bits.get(), bytes};
    });
  }
  bool finds_all(const rocksdb::Slice& bits,
                 std::span<const bloomery::key> all) const noexcept {
    if (bits == matches_everything()) return true;
    return with_type(form_, [&]<class F>(std::type_identity<F>) noexcept {
      const auto view = bloomery::table_filter_view<F>::over(bytes_of(bits));
      return view && std::ranges::all_of(all, [&](bloomery::key k) {
               return view->filter().may_contain(k);
             });
    });
  }

  filter_form form_;
  const bloomery::kind_info& row_;
  double bits_per_key_;  // 0: by rate
  bloomery::size_request by_rate_;
  bool verify_;
  bloomery::hasher hasher_ = bloomery::hasher::xxh3();
  hash_list hashes_;
  std::optional<bloomery::key> last_, last_alt_;
};

}  // namespace bloomery_rocksdb
