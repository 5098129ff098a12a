// Stable filters: making them, and keys one by one and in batches.
#include <bloomery/stable_bloom.hpp>

#include <algorithm>
#include <cstring>

#include <bloomery/filter.hpp>

#include "base/cpu.hpp"
#include "kernel/bit_loops.hpp"
#include "kind/stable/kernel/probe.hpp"
#include "kind/stable/kernel/table.hpp"

namespace bloomery::inline v1 {

static_assert(!filter<stable_bloom>);
static_assert(forgetting<stable_bloom>);
static_assert(insertable<stable_bloom>);
static_assert(decaying<stable_bloom> && padded<stable_bloom>);
static_assert(damageable<stable_bloom>);
static_assert(deduplicating<stable_bloom>);
static_assert(!mergeable<stable_bloom>);

using kernel::stable_probe::with_width;

namespace {

bool is_near(const stable_shape& s) noexcept {
  return s.size_in_bytes() <= base::caches().l2;
}
// The lines of an insert do not depend on each other: from a near part of the third cache
// the processor overlaps them by itself, and fetching took 10 % longer at 1 MiB.
bool is_near_to_insert(const stable_shape& s) noexcept {
  return is_near(s) || s.size_in_bytes() <= base::caches().l3 / 8;
}

}  // namespace

result<stable_bloom> stable_bloom::make(params p) noexcept {
  const auto shape = p.memory != 0
                         ? size_stable_by_memory(p.keys, p.fpr, p.memory, p.cell_bits)
                         : size_stable_by_rate(p.keys, p.fpr, p.forgotten, p.cell_bits);
  if (!shape) return shape.error();
  return make(*shape, p.keys, p.hasher, p.seed);
}

result<stable_bloom> stable_bloom::make(stable_shape shape, std::uint64_t gap,
                                        bloomery::hasher h, std::uint32_t seed) noexcept {
  if (auto ok = check_stable_shape(shape); !ok) return ok.error();
  auto store = pages::make(shape.size_in_bytes());
  if (!store) return store.error();
  return stable_bloom(shape, gap, h, seed, 0, *std::move(store));
}

const char* stable_bloom::kernel_name() noexcept {
  return kernel::best_stable_kernel().name;
}

// --- lookups ---

bool stable_bloom::find(key k) const noexcept {
  if (!damage_.empty()) [[unlikely]]
    return find_slowly(k);
  return with_width(shape_.cell_bits, [&]<class Cells>(Cells) noexcept {
    const kernel::stable_probe::walk_probe<Cells> probe(shape_.cells);
    return all_set(store_.data(), probe.start(k), shape_.hashes, shape_.cells);
  });
}

bool stable_bloom::find_slowly(key k) const noexcept {
  return with_width(shape_.cell_bits, [&]<class Cells>(Cells) noexcept {
    auto walk = kernel::stable_probe::walk_probe<Cells>(shape_.cells).start(k);
    for (std::uint32_t n = shape_.hashes; n != 0; --n, walk.advance(shape_.cells))
      if (!is_cell_damaged(walk.cell()) && walk.bit_in(store_.data()) == 0) return false;
    return true;
  });
}

void stable_bloom::find_each(std::span<const key> ks,
                             std::span<bool> out) const noexcept {
  if (!damage_.empty()) {
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = find_slowly(ks[i]);
    return;
  }
  with_width(shape_.cell_bits, [&]<class Cells>(Cells) noexcept {
    using probe = kernel::stable_probe::walk_probe<Cells>;
    kernel::query(
        kernel::bit_layout<probe>{probe(shape_.cells), shape_.hashes, is_near(shape_)},
        store_.data(), ks, out.data());
  });
}

// --- inserts ---

void stable_bloom::add_slowly(key k) noexcept {
  with_width(shape_.cell_bits, [&]<class Cells>(Cells) noexcept {
    std::byte* const data = store_.data();
    const auto run = kernel::stable_probe::run_of(shape_, seed_, inserts_++);
    for (std::uint64_t i = 0, c = run.start; i < run.steps; ++i) {
      const std::uint64_t value = Cells::get(data, c);
      if (value != 0 && !is_cell_damaged(c)) Cells::put(data, c, value - 1);
      if (++c == shape_.cells) c = 0;
    }
    auto walk = kernel::stable_probe::walk_probe<Cells>(shape_.cells).start(k);
    for (std::uint32_t n = shape_.hashes; n != 0; --n, walk.advance(shape_.cells))
      if (!is_cell_damaged(walk.cell())) Cells::put(data, walk.cell(), shape_.max);
  });
}

void stable_bloom::add_each(std::span<const key> ks) noexcept {
  if (!damage_.empty()) [[unlikely]] {
    for (const key k : ks) add_slowly(k);
    return;
  }
  kernel::best_stable_kernel().insert(
      {store_.data(), shape_, seed_, inserts_, is_near_to_insert(shape_)}, ks.data(),
      ks.size());
  inserts_ += ks.size();
}

void stable_bloom::add_each_absent(std::span<const key> ks,
                                   std::span<bool> absent) noexcept {
  if (!damage_.empty()) [[unlikely]] {
    for (std::size_t i = 0; i < ks.size(); ++i) {
      absent[i] = !find_slowly(ks[i]);
      add_slowly(ks[i]);
    }
    return;
  }
  kernel::best_stable_kernel().insert_if_absent(
      {store_.data(), shape_, seed_, inserts_, is_near_to_insert(shape_)}, ks.data(),
      ks.size(), absent.data());
  inserts_ += ks.size();
}

// --- whole filters ---

void stable_bloom::clear() noexcept {
  std::memset(store_.data(), 0, store_.size());
  inserts_ = 0;
  damage_ = {};
}

stable_bloom stable_bloom::with_store(pages store) const noexcept {
  return {shape_, keys_, hasher_, seed_, inserts_, std::move(store)};
}

}  // namespace bloomery::inline v1
