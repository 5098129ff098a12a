// bench_concurrent: what several threads cost, measured now.
//
//   bench_concurrent                               all of it: a few minutes, 4 GB
//   bench_concurrent --keys 1000000 --snapshot-mib 64
//   bench_concurrent --write docs/performance.md   into the document
//
// Nanoseconds a key by the wall clock, minima of interleaved rounds; ratios within one
// run.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "concurrent/sections.hpp"
#include "kit/document.hpp"
#include "kit/machine.hpp"

int main(int argc, char** argv) {
  using namespace bloomery::bench;
  request r;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view name = argv[i];
    const char* const value = i + 1 < argc ? argv[i + 1] : nullptr;
    if (value != nullptr && name == "--keys") {
      r.keys = {std::strtoull(value, nullptr, 10)};
    } else if (value != nullptr && name == "--rounds") {
      r.rounds = static_cast<unsigned>(std::strtoul(value, nullptr, 10));
    } else if (value != nullptr && name == "--snapshot-mib") {
      r.snapshot_mib = std::strtoull(value, nullptr, 10);
    } else if (value != nullptr && name == "--write") {
      r.write = value;
    } else {
      fmt::print(stderr,
                 "usage: bench_concurrent [--keys N] [--rounds N] [--snapshot-mib N] "
                 "[--write FILE]\n");
      return 2;
    }
  }
  if (!r.write.empty()) require_idle(load_average());
  std::string text = describe_machine();
  fmt::print("{}", text);
  const auto section = [&](std::string_view title, const std::string& table) {
    text += fmt::format("\n{}\n\n{}", title, table);
    fmt::print("\n{}\n\n{}", title, table);
    std::fflush(stdout);
  };
  section("Lookups of absent keys, ns per key:", lookups(r));
  section("Inserts of new keys into an empty filter until it is full, ns per key:",
          inserts(r));
  section("Lookups of absent keys through `live_filter`, ns per key:", through_live(r));
  section(fmt::format("Inserts of one key while {} MiB are copied, in ticks of the "
                      "processor's clock:",
                      r.snapshot_mib),
          snapshots(r));
  section(
      "Filters that erase keys, half of the lookups of absent keys, ns per operation:",
      erasing(r));
  const std::string load = "\n" + describe_load_at_end();
  text += load;
  fmt::print("{}", load);
  if (!r.write.empty()) write_between_markers(r.write, "bench_concurrent", text);
}
