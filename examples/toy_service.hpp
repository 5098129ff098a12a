// The service that live_service.cpp operates, and its users.
//
// A store holds the keys and is the source of truth; the filter saves most queries to it.
// Writers add keys all the time; readers know which are present, and count each false
// negative.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <stop_token>
#include <string_view>
#include <thread>
#include <unordered_set>
#include <utility>
#include <vector>

#include <bloomery/bloomery.hpp>

namespace toy {

using filter = bloomery::concurrent<bloomery::block_bloom>;

constexpr unsigned writers = 2;
constexpr std::uint64_t strangers = std::uint64_t{1} << 63;  // ids that nobody adds
constexpr std::string_view tenants[] = {"acme", "beta", "mallory"};
constexpr unsigned mallory = 2;

template <class T>
T must(bloomery::result<T> r) {
  if (!r) throw std::runtime_error(r.error().what);
  return *std::move(r);
}
inline void must(const bloomery::result<void>& r) {
  if (!r) throw std::runtime_error(r.error().what);
}

// Keys are ids, not text.
inline bloomery::hasher of_ids() {
  return bloomery::hasher::xxh3().of(bloomery::key_source::integers);
}

class key_store {
 public:
  static constexpr std::size_t shards = 64;

  void add(std::uint64_t id) {
    const std::lock_guard held(of(id).lock);
    of(id).ids.insert(id);
  }
  bool has(std::uint64_t id) {
    const std::lock_guard held(of(id).lock);
    return of(id).ids.contains(id);
  }
  std::vector<std::uint64_t> copy_of(std::size_t shard) {
    const std::lock_guard held(all_[shard].lock);
    return {all_[shard].ids.begin(), all_[shard].ids.end()};
  }

 private:
  struct part {
    std::mutex lock;
    std::unordered_set<std::uint64_t> ids;
  };
  part& of(std::uint64_t id) { return all_[id * 0x9e3779b97f4a7c15 >> 58]; }
  std::array<part, shards> all_;
};

struct service {
  bloomery::live_filter<filter> live;
  key_store store{};
  bloomery::tenant_rates rates = must(bloomery::tenant_rates::make(std::size(tenants)));
  std::atomic<std::uint64_t> written[writers]{};  // number of ids inserted by each writer
  std::atomic<std::uint64_t> checked{0}, denied{0};

  static std::uint64_t id_of(unsigned writer, std::uint64_t n) {
    return n * writers + writer;
  }
  std::uint64_t keys() const {
    std::uint64_t sum = 0;
    for (const auto& n : written) sum += n;
    return sum;
  }

  // The store first: a rebuild reads it, and would miss keys that are only in the filter.
  void add(unsigned writer) {
    const std::uint64_t n = written[writer].load(std::memory_order_relaxed);
    store.add(id_of(writer, n));
    live.insert(live.hash_u64(id_of(writer, n)));
    written[writer].store(n + 1, std::memory_order_release);
  }

  // "Definitely not present" needs no query to the store.  Whether a "possibly present"
  // was right is counted, unless the kill switch gave the answer.
  bool ask(unsigned tenant, std::uint64_t id) {
    const bloomery::key k = live.hash_u64(id);
    const bool killed_before = live.killed(), maybe = live.may_contain(k);
    if (killed_before || live.killed()) return maybe;
    rates.lookup(tenant, maybe);
    if (!maybe) return false;
    const bool present = store.has(id);
    live.confirm(k, present);
    rates.confirm(tenant, present);
    return true;
  }
};

// Recent requests, which are not handled twice: 1000 per epoch.
class recent_requests {
 public:
  // Begins with three epochs, so that there is something to expire.
  recent_requests() {
    for (int i = 0; i < 3; ++i) next_epoch();
  }

  void next_epoch() {
    must(seen_.advance(seen_.epoch() + 1));
    for (std::uint64_t i = 0; i < 1000; ++i) seen_.insert(request(seen_.epoch(), i));
  }
  // How many of that epoch's requests are found.
  std::uint64_t known_of(std::uint64_t epoch) const {
    std::uint64_t n = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) n += seen_.may_contain(request(epoch, i));
    return n;
  }
  std::uint64_t epoch() const { return seen_.epoch(); }

 private:
  bloomery::key request(std::uint64_t epoch, std::uint64_t i) const {
    return seen_.hash_u64(epoch * 1000 + i);
  }

  bloomery::window_filter<filter> seen_ = must(bloomery::window_filter<filter>::make(
      {.params = {.keys = 1000, .fpr = 0.003, .hasher = of_ids()},
       .retention = 2,
       .first_epoch = 100}));
};

// About 10,000 keys per second.
inline void write(service& s, unsigned writer, std::uint64_t until) {
  while (s.written[writer].load() < until) {
    for (int i = 0; i < 10; ++i) s.add(writer);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// A present key, then some absent ones.
inline void read(const std::stop_token& stop, service& s, unsigned tenant) {
  for (std::uint64_t r = tenant + 1; !stop.stop_requested();) {
    r = r * 6364136223846793005 + 1442695040888963407;  // Knuth's MMIX generator
    const unsigned writer = static_cast<unsigned>(r >> 40) % writers;
    const std::uint64_t in = s.written[writer].load(std::memory_order_acquire);
    s.denied += !s.ask(tenant, service::id_of(writer, (r >> 20) % in));
    s.checked += 1;
    for (std::uint64_t i = 0; i < 8; ++i)
      s.ask(tenant, strangers | (r & ~std::uint64_t{7}) | i);
    if (r >> 59 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// Finds false positives, and queries them again and again.
inline void attack(const std::stop_token& stop, service& s) {
  std::vector<std::uint64_t> found;
  for (std::uint64_t id = strangers; !stop.stop_requested();) {
    for (; found.size() < 20 && !stop.stop_requested(); ++id)
      if (s.ask(mallory, id)) found.push_back(id);
    for (int i = 0; i < 10; ++i)
      std::erase_if(found, [&](std::uint64_t f) { return !s.ask(mallory, f); });
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace toy
