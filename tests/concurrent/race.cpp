// A race on purpose: what ThreadSanitizer must report, or its silence means nothing.
//
// `clear` beside `insert` breaks the contract of concurrent.hpp.
#include <thread>

#include <bloomery/block_bloom.hpp>
#include <bloomery/concurrent.hpp>

int main() {
  auto f = *bloomery::concurrent<bloomery::block_bloom>::make({.keys = 1000});
  const auto ids = f.hasher().of(bloomery::key_source::integers);
  std::jthread other([&] {
    for (std::uint64_t i = 0; i < 100'000; ++i) f.insert(ids.hash_u64(i));
  });
  for (int i = 0; i < 1000; ++i) f.clear();
}
