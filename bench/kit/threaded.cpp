#include "kit/threaded.hpp"

#include <barrier>
#include <chrono>
#include <thread>
#include <vector>

#include "kit/keep.hpp"

namespace bloomery::bench {
namespace {

double round_ns(const subject& s, std::span<const key> ks, unsigned threads) {
  using clock = std::chrono::steady_clock;
  std::barrier ready(static_cast<std::ptrdiff_t>(threads) + 1);
  std::vector<std::thread> workers;
  for (unsigned t = 0; t < threads; ++t)
    workers.emplace_back([&, t] {
      const std::size_t from = ks.size() * t / threads;
      ready.arrive_and_wait();
      keep(s.count_batched(ks.subspan(from)) + s.count_batched(ks.first(from)));
    });
  ready.arrive_and_wait();
  const auto start = clock::now();
  for (std::thread& t : workers) t.join();
  const std::chrono::duration<double, std::nano> took = clock::now() - start;
  return took.count() / (static_cast<double>(ks.size()) * threads);
}

}  // namespace

timing count_threaded(const subject& s, std::span<const key> ks, unsigned threads,
                      unsigned rounds) {
  std::vector<double> samples;
  for (unsigned i = 0; i < rounds; ++i) samples.push_back(round_ns(s, ks, threads));
  return summary_of(std::move(samples));
}

}  // namespace bloomery::bench
