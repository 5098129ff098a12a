// Chains that threads share: see shared_scalable.hpp and shared_chain.hpp.
#include <bloomery/concurrent.hpp>

#include <array>
#include <atomic>
#include <bit>
#include <new>
#include <span>

#include <bloomery/detail/kind/scalable/protocol.hpp>
#include <bloomery/detail/probe/block_probe.hpp>
#include <bloomery/model.hpp>

#include "base/bits.hpp"
#include "filter/block_census.hpp"
#include "filter/block_view.hpp"
#include "kind/scalable/lookup.hpp"
#include "model/saturated.hpp"

namespace bloomery::inline v1 {
namespace {

// As wait_free (write_policy.hpp), and says how many bits it was the one to set.
struct added {
  unsigned bits = 0;
  friend added operator|(added a, added b) noexcept { return {a.bits + b.bits}; }
};
struct counted {
  template <class Isa, class Block>
  BLOOMERY_INLINE added set(std::byte* data, std::uint64_t offset,
                            const typename Isa::template mask<Block>& m) const noexcept {
    alignas(64) std::uint64_t lacks[Block::bytes / 8];
    unsigned some = Isa::template missing<Block>(data + offset, m, lacks);
    added n;
    for (; some != 0; some &= some - 1) {
      const auto w = static_cast<unsigned>(std::countr_zero(some));
      const std::uint64_t old = __atomic_fetch_or(
          reinterpret_cast<words::any<std::uint64_t>*>(data + offset + 8 * w),
          words::as_little_endian(lacks[w]), __ATOMIC_RELAXED);
      n.bits +=
          static_cast<unsigned>(std::popcount(lacks[w] & ~words::as_little_endian(old)));
    }
    return n;
  }
};

// Most words of a new key lack bits: what vectors would save is the test, which is made
// first, and by the best kernel.
unsigned insert_counted(const block_shape& s, std::byte* data, std::uint64_t h) noexcept {
  using namespace block_probe;
  if (loops_of(s).may_contain(data, s.blocks, h)) return 0;
  if (s.profile == block_profile::line)
    return one_key<portable, line>::insert(data, s.blocks, h, counted{}).bits;
  if (s.profile == block_profile::two_lines)
    return one_key<portable, two_lines>::insert(data, s.blocks, h, counted{}).bits;
  return one_key<portable, half_line>::insert(data, s.blocks, h, counted{}).bits;
}

// Ones are added up by thread, and handed on in portions: a line that every insert wrote
// would go back and forth between the cores.
class ones_count {
 public:
  void begin(std::uint64_t ones, std::uint64_t limit) noexcept {
    all_.store(ones, std::memory_order_relaxed);
    portion_ = limit / (64 * stripes) + 1;
  }
  void add(unsigned n) noexcept {
    auto& mine = some_[this_platform::thread_number() % stripes].ones;
    const std::uint64_t now = mine.fetch_add(n, std::memory_order_relaxed) + n;
    if (now < portion_) return;
    all_.fetch_add(mine.exchange(0, std::memory_order_relaxed),
                   std::memory_order_relaxed);
  }
  // A lower bound, at most stripes * portion too small: 1/64 of the limit.
  std::uint64_t least() const noexcept { return all_.load(std::memory_order_relaxed); }

 private:
  static constexpr unsigned stripes = 16;
  struct alignas(64) stripe {
    std::atomic<std::uint64_t> ones{0};
  };
  std::array<stripe, stripes> some_;
  alignas(64) std::atomic<std::uint64_t> all_{0};
  std::uint64_t portion_ = 1;
};

struct shared_level {
  block_shape shape;
  std::byte* data = nullptr;
  pages store;  // empty in levels that the chain began with
  bool may_grow = false;
  std::uint64_t limit = 0;  // ones at which it is full
  // The number of ones at which insert adds a level; later, if there was no memory.
  std::atomic<std::uint64_t> grow_at{0};
  ones_count ones;
};

}  // namespace

struct detail::shared_levels::state {
  explicit state(scalable_bloom f) noexcept : first(std::move(f)) {}
  ~state() {
    for (unsigned i = 0; i < chain.size(); ++i) delete &chain[i];
  }

  // A level around `data`, or in new memory; null if there is none.
  shared_level* new_level(unsigned i, std::byte* data) const noexcept {
    const scalable_shape& s = first.shape();
    owned<shared_level> l(new (std::nothrow) shared_level);
    if (l == nullptr) return nullptr;
    l->shape = s.level(i);
    l->data = data;
    if (data == nullptr) {
      auto store = pages::make(static_cast<std::size_t>(l->shape.size_in_bytes()));
      if (!store) return nullptr;
      l->store = *std::move(store);
      l->data = l->store.data();
    }
    const auto keys = static_cast<double>(scalable_level_keys(s, i));
    l->limit = std::max<std::uint64_t>(
        1, model::saturated<std::uint64_t>(model::block_ones(l->shape, keys)));
    l->limit -= l->limit / 64;
    l->may_grow = scalable_can_grow(s, i + 1);
    l->grow_at.store(l->may_grow ? l->limit : ~std::uint64_t{0},
                     std::memory_order_relaxed);
    l->ones.begin(data == nullptr ? 0 : ones_of(*l), l->limit);
    return l.release();
  }
  static std::uint64_t ones_of(const shared_level& l) noexcept {
    return base::count_ones({l.data, static_cast<std::size_t>(l.shape.size_in_bytes())},
                            l.shape.bits());
  }

  // A level after the first n, by this thread or by another; false if there is no memory.
  bool grow(unsigned n) noexcept {
    if (!chain.claim(n))
      for (unsigned i = 0; i < patience; ++i) {
        if (chain.has(n)) return true;
        this_platform::back_off(i);
      }
    if (chain.has(n)) return true;
    owned<shared_level> next(new_level(n, nullptr));
    if (next == nullptr) {
      chain.give_up(n);
      return chain.has(n);
    }
    if (chain.offer(n, next.get())) (void)next.release();
    return true;
  }
  // Times that a thread waits for another's level before it makes its own: allocating a
  // small one takes a microsecond.
  static constexpr unsigned patience = 64;

  static void add(shared_level& l, unsigned n) noexcept {
    if (n != 0) l.ones.add(n);
  }

  scalable_bloom first;  // memory of the levels it began with; shape and hasher
  shared_chain<shared_level, scalable_shape::level_limit> chain;
};

namespace detail {

shared_levels::shared_levels(owned<state> s) noexcept : state_(std::move(s)) {}
shared_levels::shared_levels(shared_levels&&) noexcept = default;
shared_levels& shared_levels::operator=(shared_levels&&) noexcept = default;
shared_levels::~shared_levels() = default;

result<shared_levels> shared_levels::make(scalable_bloom f) noexcept {
  const error none{errc::out_of_memory, "no memory for the levels of a chain"};
  owned<state> s(new (std::nothrow) state(std::move(f)));
  if (s == nullptr) return none;
  const scalable_bloom& first = s->first;
  auto* const data = const_cast<std::byte*>(first.bytes().data());
  for (unsigned i = 0; i < first.levels(); ++i) {
    shared_level* const l = s->new_level(i, data + first.shape().offset(i));
    if (l == nullptr) return none;
    s->chain.begin(l);
  }
  return shared_levels(std::move(s));
}

bool shared_levels::insert(key k) noexcept {
  unsigned n = state_->chain.size();
  shared_level* last = &state_->chain[n - 1];
  const std::uint64_t at = last->grow_at.load(std::memory_order_relaxed);
  if (last->ones.least() >= at) [[unlikely]] {
    if (!state_->grow(n))
      last->grow_at.store(at + last->limit / 64 + 1, std::memory_order_relaxed);
    n = state_->chain.size();
    last = &state_->chain[n - 1];
  }
  const unsigned bits =
      insert_counted(last->shape, last->data, block_probe::second(k.bits()));
  state::add(*last, bits);
  return bits != 0;
}

result<void> shared_levels::try_insert(key k) noexcept {
  const unsigned n = state_->chain.size();
  const shared_level& last = state_->chain[n - 1];
  if (last.ones.least() >= last.limit) [[unlikely]] {
    if (!last.may_grow)
      return error{errc::full, "all levels that the filter may have are full", 0,
                   static_cast<double>(n) + 1, static_cast<double>(n)};
    if (!state_->grow(n))
      return error{errc::out_of_memory, "no memory for the next level of the chain"};
  }
  insert(k);
  return {};
}

bool shared_levels::may_contain(key k) const noexcept {
  // Without this a loop that waits for a key could be compiled to look only once.
  std::atomic_signal_fence(std::memory_order_acquire);
  const std::uint64_t g = block_probe::second(k.bits());
  for (unsigned i = state_->chain.size(); i-- != 0;) {
    const shared_level& l = state_->chain[i];
    if (loops_of(l.shape).may_contain(l.data, l.shape.blocks, g)) return true;
  }
  return false;
}

void shared_levels::may_contain(std::span<const key> ks, bool* out) const noexcept {
  level_list levels;
  for (unsigned i = state_->chain.size(); i-- != 0;)
    levels.add(state_->chain[i].shape, state_->chain[i].data);
  levels.query(ks, out);
}

result<scalable_bloom> shared_levels::copy() const noexcept {
  const unsigned n = size();
  auto all = scalable_bloom::with_levels(state_->first, n);
  if (!all) return all;
  for (unsigned i = 0; i < n; ++i) {
    const shared_level& l = state_->chain[i];
    words::copy(all->writable_level(i), l.data,
                static_cast<std::size_t>(l.shape.size_in_bytes()));
  }
  return all;
}

const scalable_bloom& shared_levels::first() const noexcept { return state_->first; }
unsigned shared_levels::size() const noexcept { return state_->chain.size(); }
std::size_t shared_levels::size_in_bytes() const noexcept {
  return static_cast<std::size_t>(state_->first.shape().size_in_bytes(size()));
}

double shared_levels::realised_fpr() const noexcept {
  std::array<block_array, scalable_shape::level_limit> all;
  const unsigned n = size();
  for (unsigned i = 0; i < n; ++i) {
    const shared_level& l = state_->chain[i];
    all[i] = {l.shape, l.data};
  }
  return rate_of_any(std::span(all).first(n));
}
double shared_levels::estimated_keys() const noexcept {
  double keys = 0;
  for (unsigned i = 0; i < size(); ++i) {
    const shared_level& l = state_->chain[i];
    keys += model::block_keys(l.shape, static_cast<double>(state::ones_of(l)));
  }
  return keys;
}
std::uint64_t shared_levels::ones() const noexcept {
  std::uint64_t ones = 0;
  for (unsigned i = 0; i < size(); ++i) ones += state::ones_of(state_->chain[i]);
  return ones;
}

}  // namespace detail
}  // namespace bloomery::inline v1
