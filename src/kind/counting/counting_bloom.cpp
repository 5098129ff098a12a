// Counting filters: making them, and keys one by one and in batches.
#include <bloomery/counting_bloom.hpp>

#include <algorithm>
#include <cstring>

#include <bloomery/detail/kind/counting/sizing.hpp>
#include <bloomery/filter.hpp>

#include "kind/counting/view.hpp"

namespace bloomery::inline v1 {

static_assert(filter<counting_bloom>);
static_assert(insertable<counting_bloom>);
static_assert(bounded<counting_bloom>);
static_assert(publishable<counting_bloom> && identified<counting_bloom>);
static_assert(padded<counting_bloom> && damageable<counting_bloom>);
static_assert(erasable<counting_bloom>);
static_assert(counting<counting_bloom>);
static_assert(buildable<counting_bloom>);
static_assert(mergeable<counting_bloom>);
static_assert(!deduplicating<counting_bloom>);

result<counting_bloom> counting_bloom::make(params p) noexcept {
  const auto shape = size_counting_by_rate(p.keys, p.fpr, p.cell_bits, p.layout);
  if (!shape) return shape.error();
  return make(*shape, p.keys, p.hasher, p.identity);
}

result<counting_bloom> counting_bloom::make(counting_shape shape, std::uint64_t keys,
                                            bloomery::hasher h,
                                            std::uint64_t identity) noexcept {
  if (auto ok = check_counting_shape(shape); !ok) return ok.error();
  auto store = pages::make(shape.size_in_bytes());
  if (!store) return store.error();
  return counting_bloom(shape, keys, h, identity, *std::move(store));
}

result<counting_bloom> counting_bloom::build(std::span<const key> ks, params p) noexcept {
  if (p.keys == 0) p.keys = std::max<std::uint64_t>(1, ks.size());
  auto made = make(p);
  if (made) made->insert(ks);
  return made;
}

const char* counting_bloom::kernel_name() noexcept {
  return kernel::best_counting_kernel().name;
}

// --- shapes without a kernel, and filters that are damaged or may yet prove to be ---

bool counting_bloom::touches_damage(key k) const noexcept {
  return std::ranges::any_of(cell_probe::cells_of(k, shape_),
                             [this](std::uint64_t c) { return is_cell_damaged(c); });
}

void counting_bloom::add_slowly(key k) noexcept {
  if (is_fast()) return called::insert(store_.data(), shape_.blocks(), k.bits());
  cell_probe::with_width(shape_.cell_bits, [&]<class Words>(Words) noexcept {
    for (const std::uint64_t c : cell_probe::cells_of(k, shape_))
      if (!is_cell_damaged(c)) Words::up(store_.data(), c);
  });
}

bool counting_bloom::find_slowly(key k) const noexcept {
  if (is_fast()) return called::may_contain(store_.data(), shape_.blocks(), k.bits());
  return cell_probe::with_width(shape_.cell_bits, [&]<class Words>(Words w) noexcept {
    if (!damage_.empty()) {
      for (const std::uint64_t c : cell_probe::cells_of(k, shape_))
        if (!is_cell_damaged(c) && Words::get(store_.data(), c) == 0) return false;
      return true;
    }
    if (shape_.is_line())
      return cell_probe::may_contain(w, store_.data(), cell_probe::line_cells(k, shape_));
    const cell_probe::flat_probe<Words> probe(shape_.cells);
    return all_set(store_.data(), probe.start(k), shape_.hashes, probe.range());
  });
}

bool counting_bloom::remove_slowly(key k) noexcept {
  if (is_fast()) return called::erase(store_.data(), shape_.blocks(), k.bits());
  return cell_probe::with_width(shape_.cell_bits, [&](auto words) noexcept {
    return cell_probe::erase(words, store_.data(), cell_probe::cells_of(k, shape_));
  });
}

std::uint64_t counting_bloom::copies_of(key k) const noexcept {
  cell_probe::key_cells cells = cell_probe::cells_of(k, shape_);
  if (!damage_.empty()) {
    const auto intact =
        std::remove_if(cells.at, cells.at + cells.count,
                       [this](std::uint64_t c) { return is_cell_damaged(c); });
    cells.count = static_cast<unsigned>(intact - cells.at);
  }
  return cell_probe::with_width(shape_.cell_bits, [&](auto words) noexcept {
    return cell_probe::count(words, store_.data(), cells);
  });
}

// --- many keys ---

void counting_bloom::add_each(std::span<const key> ks) noexcept {
  if (is_fast())
    return kernel::best_counting_kernel().insert(lines_of(shape_, store_.data()),
                                                 ks.data(), ks.size());
  if (!damage_.empty()) {
    for (const key k : ks) add_slowly(k);
    return;
  }
  with_cell_loops(shape_, store_.data(), [&](auto loops) noexcept { loops.insert(ks); });
}

void counting_bloom::find_each(std::span<const key> ks,
                               std::span<bool> out) const noexcept {
  if (is_fast())
    return kernel::best_counting_kernel().query(lines_of(shape_, store_.data()),
                                                ks.data(), ks.size(), out.data());
  if (!damage_.empty()) {
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = find_slowly(ks[i]);
    return;
  }
  with_cell_loops(shape_, store_.data(),
                  [&](auto loops) noexcept { loops.query(ks, out.data()); });
}

std::size_t counting_bloom::try_add_each(std::span<const key> ks) noexcept {
  const auto refused =
      damage_.empty() ? ks.end() : std::ranges::find_if(ks, [this](key k) noexcept {
        return touches_damage(k);
      });
  const auto good = static_cast<std::size_t>(refused - ks.begin());
  add_each(ks.first(good));
  return good;
}

result<std::size_t> counting_bloom::remove_each(std::span<const key> ks,
                                                std::span<bool> erased) noexcept {
  if (!damage_.empty() &&
      std::ranges::any_of(ks, [this](key k) noexcept { return touches_damage(k); }))
    return damaged_bytes();
  if (is_fast())
    kernel::best_counting_kernel().erase(lines_of(shape_, store_.data()), ks.data(),
                                         ks.size(), erased.data());
  else
    with_cell_loops(shape_, store_.data(),
                    [&](auto loops) noexcept { loops.erase(ks, erased.data()); });
  return static_cast<std::size_t>(std::ranges::count(erased, true));
}

}  // namespace bloomery::inline v1
