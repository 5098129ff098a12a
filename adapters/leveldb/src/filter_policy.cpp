#include "bloomery_leveldb/filter_policy.hpp"

#include <leveldb/slice.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <span>
#include <string>
#include <string_view>

#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>
#include <bloomery/tiny_filter.hpp>

namespace bloomery_leveldb {
namespace {

using bloomery::key;
using bloomery::pages;
using bloomery::tiny_filter;
using leveldb::Slice;

constexpr unsigned char max_hashes = 30;  // of the built-in policy; above: not its own
constexpr int max_bits = 28;              // per key: as many columns, and one
// Eight zero bits and one hash: the built-in policy finds no key in it either.  LevelDB
// makes no filter of no keys; other callers may.
constexpr std::string_view matches_nothing("\0\1", 2);
constexpr std::string_view matches_everything("\0\377", 2);

std::span<const std::byte> bytes_of(const Slice& s) {
  return std::as_bytes(std::span(s.data(), s.size()));
}

class tiny_policy final : public leveldb::FilterPolicy {
 public:
  explicit tiny_policy(const policy_options& o)
      : bits_per_key_(std::clamp(o.bits_per_key, 1, max_bits)),
        name_(o.name),
        built_in_(leveldb::NewBloomFilterPolicy(bits_per_key_)) {}

  const char* Name() const override {
    return name_ == policy_name::own ? "bloomery.TinyFilter" : built_in_->Name();
  }

  void CreateFilter(const Slice* keys, int n, std::string* dst) const override {
    const std::string_view empty = n <= 0 ? matches_nothing : matches_everything;
    const auto filter = n <= 0 ? pages() : filter_of({keys, static_cast<std::size_t>(n)});
    if (filter.size() == 0)
      dst->append(empty);
    else
      dst->append(reinterpret_cast<const char*>(filter.data()), filter.size());
  }

  bool KeyMayMatch(const Slice& key, const Slice& filter) const override {
    if (filter.size() < 2) return true;
    if (name_ == policy_name::built_in &&
        static_cast<unsigned char>(filter[filter.size() - 1]) <= max_hashes)
      return built_in_->KeyMayMatch(key, filter);
    return tiny_filter::may_contain(bytes_of(filter), hasher_.hash(bytes_of(key)));
  }

 private:
  // As many columns as fit into a filter of the built-in policy; where there are few
  // keys, at least bits_per_key - 3, as reads cost more than those bytes. Empty where
  // there is no memory: then the filter is one that matches everything.
  pages filter_of(std::span<const Slice> slices) const {
    std::array<key, 512> few;
    pages more;
    std::span<key> keys = std::span(few).first(std::min(few.size(), slices.size()));
    if (slices.size() > few.size()) {
      auto memory = pages::make(slices.size() * sizeof(key));
      if (!memory) return {};
      more = *std::move(memory);
      keys = {new (more.data()) key[slices.size()], slices.size()};
    }
    for (std::size_t i = 0; i < slices.size(); ++i)
      keys[i] = hasher_.hash(bytes_of(slices[i]));
    const std::size_t n = distinct(keys), bytes = bytes_of_built_in(n);
    const auto fewest = static_cast<unsigned>(std::max(1, bits_per_key_ - 3));
    const unsigned columns = std::max(fewest, tiny_filter::columns_within(n, bytes));
    auto filter = tiny_filter::build(keys, columns);
    if (filter && filter->size() > bytes && columns > fewest)
      filter = tiny_filter::build(keys, columns - 1);  // the equations had a second size
    return filter ? *std::move(filter) : pages();
  }

  // Versions of a key follow each other.
  static std::size_t distinct(std::span<const key> keys) {
    std::size_t n = 1;
    for (std::size_t i = 1; i < keys.size(); ++i) n += keys[i] != keys[i - 1];
    return n;
  }

  std::size_t bytes_of_built_in(std::size_t keys) const {
    const auto bits = static_cast<std::size_t>(bits_per_key_);
    return std::max<std::size_t>(8, (keys * bits + 7) / 8) + 1;
  }

  int bits_per_key_;
  policy_name name_;
  std::unique_ptr<const leveldb::FilterPolicy> built_in_;
  bloomery::hasher hasher_ = bloomery::hasher::xxh3();
};

}  // namespace

std::unique_ptr<const leveldb::FilterPolicy> new_filter_policy(
    const policy_options& options) {
  return std::make_unique<tiny_policy>(options);
}

}  // namespace bloomery_leveldb
