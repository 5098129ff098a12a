// What a snapshot of a large filter does to the threads that insert meanwhile.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>

#include <bloomery/block_bloom.hpp>
#include <bloomery/snapshot.hpp>

#include "concurrent/sections.hpp"
#include "kit/latency.hpp"

namespace bloomery::bench {
namespace {

struct ticks_summary {
  double median = 0, p999 = 0, p9999 = 0;
};

// Ticks of inserts of one key each, until told to stop or `most` are done.
template <class Stop>
ticks_summary insert_until(concurrent<block_bloom>& f, std::uint64_t& stream,
                           std::size_t most, Stop stop) {
  std::vector<std::uint64_t> ticks;
  ticks.reserve(most);
  while (ticks.size() < most && !stop()) {
    for (int i = 0; i < 256; ++i) {
      const key k = key::from_bits(splitmix64(stream++));
      keep(k.bits());
      const std::uint64_t start = stamp();
      f.insert(k);
      ticks.push_back(stamp() - start);
    }
  }
  std::ranges::sort(ticks);
  const auto at = [&](double q) {
    return static_cast<double>(
        ticks[static_cast<std::size_t>(q * static_cast<double>(ticks.size() - 1))]);
  };
  return {at(0.5), at(0.999), at(0.9999)};
}

}  // namespace

std::string snapshots(const request& r) {
  const std::uint64_t blocks = (r.snapshot_mib << 20) / 64;
  auto f = must(concurrent<block_bloom>::adopt(
      must(block_bloom::make({blocks, block_profile::line}))));
  std::uint64_t stream = 1;
  for (std::uint64_t i = 0; i < blocks; i += 4096) {  // every page is there
    const auto ks = some_keys(4096, 1000 + i);
    f.insert(std::span<const key>(ks));
  }
  const std::string path =
      (std::filesystem::temp_directory_path() / "bloomery-bench-snapshot").string();
  std::string text = "| | median | p99.9 | p99.99 | seconds |\n|---|---|---|---|---|\n";
  constexpr std::size_t most = 20'000'000;
  double alone = 0;
  const auto line = [&](const char* what, auto work) {
    std::vector<ticks_summary> seen;
    double seconds = 1e9;
    for (int round = 0; round < 3; ++round) {
      std::atomic<bool> done = false;
      std::jthread other([&] {
        const auto start = std::chrono::steady_clock::now();
        work();
        seconds = std::min(seconds, std::chrono::duration<double>(
                                        std::chrono::steady_clock::now() - start)
                                        .count());
        done = true;
      });
      seen.push_back(insert_until(f, stream, most, [&] { return done.load(); }));
    }
    std::ranges::sort(seen, {}, &ticks_summary::p999);
    const ticks_summary& typical = seen[seen.size() / 2];
    if (alone == 0) alone = typical.p999;
    text += fmt::format("| {} | {:.0f} | {:.0f} ({:.2f}) | {:.0f} | {:.2f} |\n", what,
                        typical.median, typical.p999, typical.p999 / alone, typical.p9999,
                        seconds);
  };
  line("nobody else", [] { std::this_thread::sleep_for(std::chrono::seconds(1)); });
  line("memory read by another thread", [&] {
    for (int i = 0; i < 4; ++i) keep(f.ones());
  });
  line("snapshot() into memory", [&] { keep(must(f.snapshot()).size_in_bytes()); });
  line("save_snapshot() to a file", [&] {
    if (!save_snapshot(f, path.c_str())) throw std::runtime_error("cannot save");
  });
  std::filesystem::remove(path);
  return text;
}

}  // namespace bloomery::bench
