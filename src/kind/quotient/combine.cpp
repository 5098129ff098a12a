// Quotient filters as wholes: built, merged, doubled.  All are one pass from fingerprints
// in ascending order to an empty filter.
#include <bloomery/quotient.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <new>

#include "filter/sort_distinct.hpp"
#include "kind/quotient/build.hpp"
#include "kind/quotient/kernel/table.hpp"
#include "kind/quotient/stream.hpp"
#include "kind/quotient/writer.hpp"

namespace bloomery::inline v1 {
namespace {

error no_room() noexcept {
  return {errc::full, "the fingerprints do not fit the filter"};
}
error damaged_filter() noexcept {
  return {errc::corrupt, "a damaged quotient filter can be queried only"};
}

// Streams that have a fingerprint, the smallest first: a heap.
class stream_heap {
 public:
  static result<stream_heap> make(std::span<const quotient* const> filters,
                                  const quotient& first) noexcept {
    stream_heap h;
    h.all_.reset(new (std::nothrow) entry[filters.size() + 1]);
    if (!h.all_) return error{errc::out_of_memory, "no memory for the filters to merge"};
    h.add(first);
    for (const quotient* f : filters) h.add(*f);
    for (std::size_t i = h.size_; i-- > 0;) h.sift(i);
    return h;
  }
  bool empty() const noexcept { return size_ == 0; }
  std::uint64_t top() const noexcept { return at(0); }
  // The copies of the top in one of them.
  std::uint64_t take() noexcept {
    const std::uint64_t count = all_[order(0)].stream.take();
    if (at(0) == quotient_stream::none) {
      all_[0].place = all_[--size_].place;
      if (size_ == 0) return count;
    }
    sift(0);
    return count;
  }

 private:
  // Streams stay where they are; their places are sorted.
  struct entry {
    entry() noexcept {}
    ~entry() {}
    union {
      quotient_stream stream;
    };
    std::size_t place;
  };
  void add(const quotient& f) noexcept {
    entry& e = all_[size_];
    std::construct_at(&e.stream, f.layout(), f.bytes().data());
    e.place = size_;
    size_ += e.stream.top() != quotient_stream::none;
  }
  void sift(std::size_t i) noexcept {
    for (std::size_t c = 2 * i + 1; c < size_; i = c, c = 2 * i + 1) {
      if (c + 1 < size_ && at(c + 1) < at(c)) ++c;
      if (at(i) <= at(c)) return;
      std::swap(all_[i].place, all_[c].place);
    }
  }
  std::size_t order(std::size_t i) const noexcept { return all_[i].place; }
  std::uint64_t at(std::size_t i) const noexcept { return all_[order(i)].stream.top(); }

  std::unique_ptr<entry[]> all_;
  std::size_t size_ = 0;
};

bool merge_two(quotient_stream& a, quotient_stream& b, quotient_writer& w,
               bool& too_many) noexcept {
  constexpr std::uint64_t none = quotient_stream::none;
  while (a.top() != none || b.top() != none) {
    const std::uint64_t *i = a.next(), *j = b.next();
    const std::uint64_t *const a_end = a.safe_end(), *const b_end = b.safe_end();
    while (i < a_end && j < b_end && *i != *j && i[0] != i[1] && j[0] != j[1]) {
      // By the sign, since a compiler makes a branch of a comparison: below 2^60.
      const std::uint64_t x = *i, y = *j, is_less = (x - y) >> 63;
      i += is_less;
      j += 1 - is_less;
      if (!w.add(y ^ ((x ^ y) & (0 - is_less)), 1)) return false;
    }
    a.skip_to(i);
    b.skip_to(j);
    const std::uint64_t x = a.top(), y = b.top();
    if (x == none && y == none) return true;
    const std::uint64_t count = (x <= y ? a.take() : 0) + (y <= x ? b.take() : 0);
    too_many = count > quotient_layout::max_count;
    if (!w.add(std::min(x, y), count)) return false;
  }
  return true;
}

// Merges by the kernel, if it has a merge that fits: the same bytes.
kernel::quotient_result merge_by_kernel(const quotient_layout& l, std::span<std::byte> to,
                                        const quotient& a, const quotient* b) noexcept {
  const auto merge = kernel::best_quotient_kernel().merge;
  if (merge == nullptr) return kernel::quotient_result::unable;
  const quotient_layout nothing{l.quotients, l.remainder_bits, 0};
  const auto done = merge(l, to.data(), a.layout(), a.bytes().data(),
                          b == nullptr ? nothing : b->layout(),
                          b == nullptr ? nullptr : b->bytes().data());
  if (done == kernel::quotient_result::unable) std::ranges::fill(to, std::byte{});
  return done;
}

bool merge_many(stream_heap all, quotient_writer& w, bool& too_many) noexcept {
  while (!all.empty()) {
    const std::uint64_t f = all.top();
    std::uint64_t count = 0;
    while (!all.empty() && all.top() == f) {
      count += all.take();
      if (count > quotient_layout::max_count) {
        too_many = true;
        return false;
      }
    }
    if (!w.add(f, count)) return false;
  }
  return true;
}

}  // namespace

result<quotient> build_quotient(const quotient_layout& layout, std::span<const key> ks,
                                std::uint64_t keys, hasher h,
                                std::uint64_t identity) noexcept {
  auto made = quotient::make(layout, keys, h, identity);
  if (!made) return made;
  quotient_writer w(layout, made->store_.data());
  for (std::size_t i = 0; i < ks.size();) {
    const std::uint64_t f = layout.fingerprint(ks[i]);
    std::size_t j = i + 1;
    while (j < ks.size() && layout.fingerprint(ks[j]) == f) ++j;
    if (!w.add(f, j - i))
      return error{errc::full,
                   "the keys do not fit the filter sized for them: use another seed, or "
                   "a hash with a secret",
                   0, static_cast<double>(ks.size()), static_cast<double>(i)};
    i = j;
  }
  w.finish();
  return made;
}

result<quotient> quotient::build(std::span<const key> ks, params p) noexcept {
  const auto sorted = sort_distinct(ks, 1);
  if (!sorted) return sorted.error();
  const auto distinct = sorted->keys;
  if (p.keys == 0) p.keys = std::max<std::uint64_t>(1, distinct.size());
  if (distinct.size() > p.keys)
    return error{errc::full, "more distinct keys than the filter is sized for", 0,
                 static_cast<double>(distinct.size()), static_cast<double>(p.keys)};
  const auto layout = size_quotient_by_rate(p.keys, p.fpr);
  if (!layout) return layout.error();
  return build_quotient(*layout, distinct, p.keys, p.hasher, p.identity);
}

result<void> quotient::merge(const quotient& other) noexcept {
  const quotient* const one = &other;
  return merge(std::span(&one, 1));
}

result<void> quotient::merge(std::span<const quotient* const> others) noexcept {
  if (!damage_.empty()) return damaged_filter();
  for (const quotient* f : others) {
    if (f->layout_.fingerprints() != layout_.fingerprints())
      return error{errc::incompatible,
                   "the filters differ in the number of their fingerprints"};
    if (!(f->hasher_ == hasher_))
      return error{errc::incompatible, "the filters differ in hash, seed or secret"};
    if (!f->damage_.empty()) return damaged_filter();
  }
  if (others.empty()) return {};
  auto made = pages::make_like(store_, store_.size());
  if (!made) return made.error();
  bool too_many = false, fits = false;
  auto by_kernel = kernel::quotient_result::unable;
  if (others.size() == 1)
    by_kernel = merge_by_kernel(layout_, {made->data(), made->size()}, *this, others[0]);
  if (by_kernel != kernel::quotient_result::unable) {
    fits = by_kernel == kernel::quotient_result::done;
    too_many = !fits;
  } else {
    quotient_writer w(layout_, made->data());
    if (others.size() == 1) {
      const quotient& other = *others[0];
      quotient_stream a(layout_, store_.data()), b(other.layout_, other.store_.data());
      fits = merge_two(a, b, w, too_many);
    } else {
      auto all = stream_heap::make(others, *this);
      if (!all) return all.error();
      fits = merge_many(*std::move(all), w, too_many);
    }
    if (fits) w.finish();
  }
  if (!fits && too_many)
    return error{errc::too_many_copies, "a fingerprint would be in 2^48 times or more", 0,
                 0x1p48, static_cast<double>(quotient_layout::max_count)};
  if (!fits) return no_room();
  store_ = *std::move(made);
  return {};
}

result<void> quotient::grow() noexcept {
  if (!damage_.empty()) return damaged_filter();
  const auto twice = doubled(layout_);
  if (!twice) return twice.error();
  const memory_scope scope(store_);
  auto made = make(*twice, 2 * keys_, hasher_);
  if (!made) return made.error();
  if (merge_by_kernel(*twice, {made->store_.data(), made->store_.size()}, *this,
                      nullptr) == kernel::quotient_result::unable) {
    quotient_writer w(*twice, made->store_.data());
    quotient_stream all(layout_, store_.data());
    for (std::uint64_t f = all.top(); f != quotient_stream::none; f = all.top())
      if (!w.add(f, all.take())) return no_room();
    w.finish();
  }
  made->receipts_ = std::move(receipts_);
  *this = *std::move(made);
  return {};
}

}  // namespace bloomery::inline v1
