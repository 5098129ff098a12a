#include "comparison/set.hpp"

#include <bit>
#include <stdexcept>
#include <utility>
#include <vector>

#include <bloomery/block_bloom.hpp>
#include <bloomery/filter_set.hpp>

#include "kit/count.hpp"
#include "kit/mix.hpp"
#include "kit/schedule.hpp"

namespace bloomery::bench {
namespace {

constexpr std::size_t asked = 1 << 16;
constexpr std::size_t batch = 1024;

template <class T>
T must(result<T> made) {
  if (!made) throw std::runtime_error(made.error().what);
  return *std::move(made);
}

std::vector<key> keys_from(std::uint64_t first, std::uint64_t count) {
  std::vector<key> ks;
  for (std::uint64_t i = 0; i < count; ++i)
    ks.push_back(key::from_bits(splitmix64(first + i)));
  return ks;
}

std::uint64_t ones(std::span<const std::uint64_t> words) {
  std::uint64_t sum = 0;
  for (const std::uint64_t w : words) sum += static_cast<unsigned>(std::popcount(w));
  return sum;
}

}  // namespace

set_row measure_set(std::uint64_t filters, std::uint64_t keys, double fpr,
                    unsigned rounds) {
  std::vector<block_bloom> all;
  std::vector<const block_bloom*> pointers;
  for (std::uint64_t f = 0; f < filters; ++f) {
    all.push_back(must(block_bloom::make({.keys = keys, .fpr = fpr})));
    all.back().insert(keys_from(f * keys, keys));
  }
  std::size_t bytes = 0;
  for (const block_bloom& f : all) {
    pointers.push_back(&f);
    bytes += f.size_in_bytes();
  }
  const auto set = must(filter_set<block_bloom>::make(pointers));
  const std::vector<key> absent = keys_from(std::uint64_t{1} << 63, asked);
  std::vector<std::uint64_t> words(set.words() * batch);

  const auto by_set = [&](std::size_t at_once) {
    std::uint64_t yes = 0;
    for (std::size_t i = 0; i < asked; i += at_once) {
      const auto out = std::span(words).first(set.words() * at_once);
      set.may_contain(std::span(absent).subspan(i, at_once), out);
      yes += ones(out);
    }
    return yes;
  };
  const auto by_loop = [&] {
    std::uint64_t yes = 0;
    for (const key k : absent)
      for (const block_bloom& f : all) yes += f.may_contain(k);
    return yes;
  };
  std::vector<char> room(batch);
  const std::span<bool> answers(reinterpret_cast<bool*>(room.data()), batch);
  const auto by_batches = [&] {
    std::uint64_t yes = 0;
    for (std::size_t i = 0; i < asked; i += batch)
      for (const block_bloom& f : all) {
        f.may_contain(std::span(absent).subspan(i, batch), answers);
        yes += count_yes(answers);
      }
    return yes;
  };
  const std::uint64_t maybe = by_loop();
  if (by_set(1) != maybe || by_set(batch) != maybe || by_batches() != maybe)
    throw std::runtime_error("bench: filter_set and its filters disagree");

  set_row r{filters, keys, {}, {}, {}, {}, {}};
  auto floor = must(line_floor::make(bytes));
  schedule s;
  s.add({asked * filters, [&] { return by_set(1); }}, r.set);
  s.add({asked * filters, [&] { return by_set(batch); }}, r.set_batched);
  s.add({asked * filters, by_loop}, r.loop);
  s.add({asked * filters, by_batches}, r.loop_batched);
  add_floor(s, floor, r.floor);
  s.run(rounds);
  return r;
}

}  // namespace bloomery::bench
