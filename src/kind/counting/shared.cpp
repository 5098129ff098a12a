#include <bloomery/concurrent.hpp>

#include <bloomery/detail/kind/counting/probe.hpp>
#include <bloomery/detail/kind/counting/protocol.hpp>
#include <bloomery/detail/sync/atomic_words.hpp>
#include <bloomery/filter.hpp>

#include "kernel/fetch_ahead.hpp"

namespace bloomery::inline v1 {

static_assert(filter<concurrent<counting_bloom>>);
static_assert(insertable<concurrent<counting_bloom>>);
static_assert(erasable<concurrent<counting_bloom>>);
static_assert(counting<concurrent<counting_bloom>>);

namespace {

using access = concurrent_access<counting_bloom>;
using cell_probe::with_width;

std::size_t word_count(const counting_bloom& f) noexcept {
  return (f.size_in_bytes() + 7) / 8;
}

}  // namespace

result<void> access::check(const counting_bloom& f) noexcept {
  if (!f.damage_.empty())
    return error{errc::corrupt,
                 "bytes of this filter are damaged: threads cannot share it"};
  return {};
}

void access::insert(counting_bloom& f, key k) noexcept {
  const atomic_words all(f.store_.data());
  with_width(f.shape_.cell_bits, [&]<class Cells>(Cells) noexcept {
    shared_cells<Cells, atomic_words>(all).insert(cell_probe::cells_of(k, f.shape_));
  });
}

// A line for each key of the layout line; the first of several otherwise.
void access::insert(counting_bloom& f, std::span<const key> ks) noexcept {
  const atomic_words all(f.store_.data());
  with_width(f.shape_.cell_bits, [&]<class Cells>(Cells) noexcept {
    const shared_cells<Cells, atomic_words> cells(all);
    constexpr kernel::fetch_plan plan{.group = 16, .ahead = 32};
    kernel::fetch_ahead<plan>(
        ks.size(),
        [&](std::size_t first, std::size_t count) noexcept {
          if (!f.shape_.is_line()) return;
          for (std::size_t i = first; i < first + count; ++i)
            __builtin_prefetch(f.store_.data() + block_probe::high_product(
                                                     ks[i].bits(), f.shape_.blocks()) *
                                                     f.shape_.block_bytes());
        },
        [&](std::size_t first, std::size_t count) noexcept {
          for (std::size_t i = first; i < first + count; ++i)
            cells.insert(cell_probe::cells_of(ks[i], f.shape_));
        });
  });
}

bool access::erase(counting_bloom& f, key k) noexcept {
  const atomic_words all(f.store_.data());
  return with_width(f.shape_.cell_bits, [&]<class Cells>(Cells) noexcept {
    return shared_cells<Cells, atomic_words>(all).erase(
        cell_probe::cells_of(k, f.shape_));
  });
}

result<void> access::add(counting_bloom& f, const counting_bloom& other) noexcept {
  if (auto ok = check(other); !ok) return ok;
  if (!(f.shape_ == other.shape_) || !(f.hasher_ == other.hasher_))
    return error{errc::incompatible, "counting filters of another shape or hasher"};
  const atomic_words all(f.store_.data());
  const atomic_words from(const_cast<std::byte*>(other.store_.data()));
  with_width(f.shape_.cell_bits, [&]<class Cells>(Cells) noexcept {
    for (std::size_t i = 0; i < word_count(f); ++i) {
      const std::uint64_t more = from.load(i, std::memory_order_relaxed);
      if (more == 0) continue;
      // Cells that are stuck already stay as they are, beyond the sticky value or not.
      std::uint64_t seen = all.load(i, std::memory_order_relaxed);
      const auto sum = [&] {
        const std::uint64_t stuck = seen & Cells::highs;
        const std::uint64_t kept = (stuck << 1) - (stuck >> (Cells::width - 1));
        return (Cells::sum(seen, more) & ~kept) | (seen & kept);
      };
      while (!all.compare_exchange(i, seen, sum())) {
      }
    }
  });
  return {};
}

void access::copy(counting_bloom& to, const counting_bloom& f) noexcept {
  const atomic_words from(const_cast<std::byte*>(f.store_.data()));
  const atomic_words into(to.store_.data());
  with_width(f.shape_.cell_bits, [&]<class Cells>(Cells) noexcept {
    for (std::size_t i = 0; i < word_count(f); ++i)
      into.store(i, Cells::normalised(from.load(i, std::memory_order_relaxed)),
                 std::memory_order_relaxed);
  });
}

void access::normalise(counting_bloom& f) noexcept { copy(f, f); }

}  // namespace bloomery::inline v1
