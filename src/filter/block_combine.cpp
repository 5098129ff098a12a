// Block filters: union, intersection, and other sizes.
//
// mulhi(h, B) / f = mulhi(h, B / f) for every divisor f of B: blocks that are adjacent in
// groups of f become one block of a filter with B / f of them, and their union is, to the
// bit, what the same keys would have set there.
#include <bloomery/detail/filter/block_storage.hpp>

#include <algorithm>
#include <numeric>

#include "base/bits.hpp"
#include "filter/block_census.hpp"

namespace bloomery::inline v1 {
namespace {

// Ors each group of `group` adjacent blocks of `from` into one block of `to`.
void fold_into(std::span<std::byte> to, std::span<const std::byte> from,
               std::size_t block_bytes, std::uint64_t group) noexcept {
  for (std::size_t i = 0; i * block_bytes < from.size(); ++i)
    base::or_into(to.subspan(i / group * block_bytes, block_bytes),
                  from.subspan(i * block_bytes, block_bytes));
}

// The largest divisor of n up to `max`; 1 if that is 0.  O(sqrt n).
std::uint64_t largest_divisor(std::uint64_t n, std::uint64_t max) noexcept {
  std::uint64_t largest = 1;
  for (std::uint64_t small = 1; small <= n / small && small <= max; ++small) {
    if (n % small != 0) continue;
    largest = std::max(largest, small);
    if (n / small <= max) return n / small;  // the first is the largest of its kind
  }
  return largest;
}

error differ_in_blocks(const block_shape& theirs, const block_shape& ours) noexcept {
  return {errc::incompatible, "the filters differ in size (blocks)", 0,
          static_cast<double>(theirs.blocks), static_cast<double>(ours.blocks)};
}

}  // namespace

result<void> block_storage::check_same_keys(const block_storage& other) const noexcept {
  if (shape_.profile != other.shape_.profile)
    return error{errc::incompatible, "the filters differ in profile"};
  if (!(hasher_ == other.hasher_))
    return error{errc::incompatible, "the filters differ in hash, seed or secret"};
  return {};
}

result<std::uint64_t> block_storage::folds_of(const block_storage& other) const noexcept {
  if (auto same = check_same_keys(other); !same) return same.error();
  if (other.shape_.blocks % shape_.blocks != 0)
    return differ_in_blocks(other.shape_, shape_);
  return other.shape_.blocks / shape_.blocks;
}

result<void> block_storage::merge_in(const block_storage& other) noexcept {
  const auto group = folds_of(other);
  if (!group) return group.error();
  if (*group == 1)
    base::or_into(store_.bytes(), other.store_.bytes());
  else
    fold_into(store_.bytes(), other.store_.bytes(), shape_.block_bytes(), *group);
  return {};
}

result<void> block_storage::merge_through_fold(const block_storage& other) noexcept {
  if (auto same = check_same_keys(other); !same) return same;
  const std::uint64_t common = std::gcd(shape_.blocks, other.shape_.blocks);
  if (auto folded = fold_by(shape_.blocks / common); !folded) return folded;
  return merge_in(other);
}

result<void> block_storage::intersect_with(const block_storage& other) noexcept {
  if (auto same = check_same_keys(other); !same) return same;
  if (shape_.blocks != other.shape_.blocks) return differ_in_blocks(other.shape_, shape_);
  base::and_into(store_.bytes(), other.store_.bytes());
  return {};
}

result<void> block_storage::fold_by(std::uint64_t divisor) noexcept {
  if (divisor == 0 || shape_.blocks % divisor != 0)
    return error{errc::invalid_argument,
                 "a filter folds by a divisor of its number of blocks only", 0,
                 static_cast<double>(divisor), static_cast<double>(shape_.blocks)};
  if (divisor == 1) return {};
  block_shape smaller = shape_;
  smaller.blocks /= divisor;
  auto store = pages::make_like(store_, smaller.size_in_bytes());
  if (!store) return store.error();
  fold_into(store->bytes(), store_.bytes(), shape_.block_bytes(), divisor);
  shape_ = smaller;
  store_ = *std::move(store);
  return {};
}

result<std::uint64_t> block_storage::fold_while(double fpr) noexcept {
  if (!(fpr > 0 && fpr < 1))
    return error{errc::invalid_argument,
                 "a false-positive rate lies strictly between 0 and 1", 0, fpr};
  // Not every smaller divisor has a lower rate, unless it divides the larger: each is
  // counted.  Those far too large are given up after a few blocks.
  std::uint64_t divisor = shape_.blocks;
  while (divisor > 1 && rate_of_blocks(shape_, store_.data(), divisor, fpr) > fpr)
    divisor = largest_divisor(shape_.blocks, divisor - 1);
  if (auto folded = fold_by(divisor); !folded) return folded.error();
  return divisor;
}

}  // namespace bloomery::inline v1
