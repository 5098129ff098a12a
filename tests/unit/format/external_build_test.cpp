// Filters built within a memory limit: the same files as built in memory.
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/any_filter.hpp>
#include <bloomery/build.hpp>

#include "cases.hpp"
#include "fingerprint_array.hpp"
#include "must.hpp"
#include "temp_dir.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

std::vector<std::byte> file_of(filter_builder& builder, const kind_info& kind,
                               const size_request& size, unsigned threads = 1) {
  const auto built =
      must(builder.finish(kind.facts.number, size, kind.facts.hasher(), threads));
  const auto bytes = must(encode_any(built.filter, built.notes()));
  return {bytes.bytes().begin(), bytes.bytes().end()};
}

filter_builder limited(const temp_dir& dir, std::uint64_t limit) {
  return must(filter_builder::make({.memory_limit = limit, .directory = dir.path()}));
}

// Every kind, any number of threads, some keys several times.
TEST(ExternalBuild, SameFileAsInMemory) {
  const auto in = keys(3, 150'000);
  const temp_dir dir;
  for (const kind_info& k : kinds()) {
    if (k.facts.forgets) continue;  // what they keep depends on the order
    SCOPED_TRACE(k.facts.name);
    filter_builder memory;
    must(memory.add(in));
    const auto expected = file_of(memory, k, {});
    filter_builder disk = limited(dir, 2 * mib);
    for (const unsigned threads : {1u, 2u, 4u, 7u}) {
      for (std::size_t i = 0; i < in.size(); i += 997) {
        must(disk.add(
            std::span(in).subspan(i, std::min<std::size_t>(997, in.size() - i))));
        must(disk.add(std::span(in).first(10)));
      }
      EXPECT_EQ(must(disk.count(threads)), in.size());
      EXPECT_EQ(file_of(disk, k, {}, threads), expected) << threads;
      count_cases("files", 1);
    }
    EXPECT_EQ(dir.files(), 0u);
  }
}

struct watch_log {
  std::vector<std::uint64_t> done;
  std::uint64_t all = 0;
  std::size_t stop_at = ~std::size_t{0};  // which call ends the build

  build_watch watch() noexcept {
    return {
        [](void* context, std::uint64_t n, std::uint64_t total) noexcept -> result<void> {
          auto& log = *static_cast<watch_log*>(context);
          log.done.push_back(n);
          log.all = total;
          if (log.done.size() <= log.stop_at) return {};
          return error{errc::invalid_argument, "stopped"};
        },
        this};
  }
};

// In memory and on disk: the same filter, and what ends a build leaves an empty builder.
TEST(ExternalBuild, WatchedBuilds) {
  const auto in = keys(6, 150'000);
  const temp_dir dir;
  for (const kind_info& k : kinds()) {
    if (k.facts.forgets) continue;  // larger than the limit
    SCOPED_TRACE(k.facts.name);
    for (const bool on_disk : {false, true}) {
      const auto make = [&] {
        return on_disk ? limited(dir, 2 * mib) : filter_builder();
      };
      filter_builder plain = make(), watched = make(), stopped = make();
      must(plain.add(in));
      must(watched.add(in));
      must(stopped.add(in));
      const auto h = k.facts.hasher();
      const auto expected = must(plain.finish(k.facts.number, {}, h));
      watch_log log;
      const auto made = must(watched.finish(k.facts.number, {}, h, 1, 0, log.watch()));
      EXPECT_EQ(made.filter, expected.filter);
      EXPECT_EQ(made.keys, in.size());
      ASSERT_FALSE(log.done.empty());
      EXPECT_EQ(log.all, in.size());
      EXPECT_TRUE(std::ranges::is_sorted(log.done));
      EXPECT_LT(log.done.back(), in.size());
      watch_log ends;
      ends.stop_at = log.done.size() / 2;
      const auto none = stopped.finish(k.facts.number, {}, h, 1, 0, ends.watch());
      ASSERT_FALSE(none);
      EXPECT_STREQ(none.error().what, "stopped");
      EXPECT_EQ(must(stopped.count()), 0u);
      count_cases("builds", 1);
    }
  }
  EXPECT_EQ(dir.files(), 0u);
}

TEST(ExternalBuild, KindsThatAreOnlyBuilt) {
  const auto in = keys(4, 200'000);
  const auto expected = must(fingerprint_array::build(in));
  const temp_dir dir;
  auto spool = must(key_spool::make({.memory_limit = mib, .directory = dir.path()}));
  must(spool.add(in));
  must(spool.add(in));
  auto all = must(spool.sorted());
  const auto built = must(fingerprint_array::build(all, {.keys = all.size()}));
  EXPECT_TRUE(std::ranges::equal(built.bytes(), expected.bytes()));
  EXPECT_GT(spool.spilled_bytes(), 0u);
}

TEST(ExternalBuild, NoKeysAndFewKeys) {
  const temp_dir dir;
  for (const kind_info& k : kinds())
    for (const std::size_t n : {0u, 1u, 5u}) {
      filter_builder memory, disk = limited(dir, mib);
      must(memory.add(keys(5, n)));
      must(disk.add(keys(5, n)));
      EXPECT_EQ(file_of(disk, k, {}), file_of(memory, k, {})) << k.facts.name << n;
    }
}

// The error says which limit is enough, and it is.
TEST(ExternalBuild, AFilterThatDoesNotFit) {
  const temp_dir dir;
  const auto in = keys(6, 100'000);
  const kind_info& k = kinds().front();
  filter_builder disk = limited(dir, mib);
  must(disk.add(in));
  size_request size;
  size.bits_per_key = 200;
  const auto refused = disk.finish(k.facts.number, size, k.facts.hasher());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errc::too_large);
  filter_builder enough =
                     limited(dir, static_cast<std::uint64_t>(refused.error().possible)),
                 memory;
  must(enough.add(in));
  must(memory.add(in));
  EXPECT_EQ(file_of(enough, k, size), file_of(memory, k, size));
  // The builder is empty, and works again.
  EXPECT_EQ(must(disk.count()), 0u);
  must(disk.add(std::span(in).first(1000)));
  must(memory.add(std::span(in).first(1000)));
  EXPECT_EQ(file_of(disk, k, {}), file_of(memory, k, {}));
}

// Files cannot become as large as they would have to be.
TEST(ExternalBuild, NoRoomOnTheDisk) {
  const temp_dir dir;
  const auto in = keys(7, 100'000);
  struct rlimit old;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  for (const rlim_t room : {1000u, 500'000u, 790'000u}) {
    const struct rlimit small { room, old.rlim_max };
    filter_builder disk = limited(dir, mib);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    auto added = disk.add(in);
    const auto built = disk.finish(container_kind::block, {}, block_bloom::kind.hasher());
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &old), 0);
    ASSERT_FALSE(built);
    EXPECT_EQ(built.error().code, errc::io);
    EXPECT_STREQ(built.error().path.c_str(), dir.path().c_str());
    EXPECT_NE(std::string_view(built.error().what).find("no room"),
              std::string_view::npos);
    if (!added) {
      EXPECT_EQ(added.error().what, built.error().what);
    }
    EXPECT_EQ(dir.files(), 0u);
    // What is left of it does not spoil the next.
    must(disk.add(std::span(in).first(100)));
    EXPECT_EQ(must(disk.count()), 100u);
  }
  std::signal(SIGXFSZ, handler);
}

}  // namespace
}  // namespace bloomery::testing
