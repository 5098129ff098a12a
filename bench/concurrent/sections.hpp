// The parts of bench_concurrent, each a table in Markdown.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <bloomery/key.hpp>
#include <bloomery/result.hpp>

#include "kit/mix.hpp"

namespace bloomery::bench {

struct request {
  std::vector<std::uint64_t> keys{10'000, 1'000'000, 100'000'000};
  unsigned rounds = 7;
  std::uint64_t snapshot_mib = 1024;
  std::string write;
};

std::string lookups(const request& r);
std::string inserts(const request& r);
std::string through_live(const request& r);
std::string snapshots(const request& r);
std::string erasing(const request& r);

template <class T>
T must(result<T> r) {
  if (!r) throw std::runtime_error(r.error().what);
  return *std::move(r);
}

inline std::vector<key> some_keys(std::uint64_t n, std::uint64_t stream) {
  std::vector<key> out(n);
  for (std::uint64_t i = 0; i < n; ++i)
    out[i] = key::from_bits(splitmix64(stream << 32 | i));
  return out;
}

template <class F>
std::uint64_t one_by_one(const F& f, const std::vector<key>& ks) {
  std::uint64_t yes = 0;
  for (const key k : ks) yes += f.may_contain(k);
  return yes;
}

// work(part of the keys) on `threads` threads at once, each with its own part.
template <class Work>
std::uint64_t shared_out(const std::vector<key>& ks, unsigned threads, Work work) {
  const std::size_t part = ks.size() / threads;
  std::vector<std::jthread> crew;
  for (unsigned t = 1; t < threads; ++t)
    crew.emplace_back([&, t] { work(std::span(ks).subspan(t * part, part)); });
  work(std::span(ks).first(part));
  crew.clear();
  return ks.size();
}

}  // namespace bloomery::bench
