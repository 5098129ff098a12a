// Snapshots under load: each holds everything it must, and its file is whole.
#include <bloomery/snapshot.hpp>

#include <atomic>
#include <fstream>

#include <gtest/gtest.h>

#include "all_filters.hpp"
#include "ask.hpp"
#include "crew.hpp"
#include "full.hpp"
#include "temp_dir.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

template <class C>
class Snapshot : public ::testing::Test {};
using snapshot_filters =
    ::testing::Types<concurrent<portable_bloom>, concurrent<block_bloom>,
                     concurrent<block_bloom, locked>, concurrent<split_block_bloom>,
                     concurrent<bloom>>;
TYPED_TEST_SUITE(Snapshot, snapshot_filters, filter_names);

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TYPED_TEST(Snapshot, AtRestIsTheFileOfThePlainFilter) {
  const temp_dir dir;
  for (const std::size_t n : {1u, 1000u, 300'000u, 2'000'000u}) {
    const auto ks = keys(n, std::max<std::size_t>(1, n / fewer));
    const auto f = recipe<TypeParam>::of(ks, 0.01);
    const write_notes notes{
        .asked_fpr = 0.01, .keys = n, .sentinels = std::span(ks).first(1)};
    must(save_snapshot(f, (dir / "live").c_str(), notes));
    must(save_container(must(f.snapshot()), (dir / "plain").c_str(), notes));
    EXPECT_EQ(bytes_of(dir / "live"), bytes_of(dir / "plain")) << n;
  }
}

// `writers` threads insert and say how far they are; meanwhile snapshots are taken, in
// memory and into files, each asked for everything that was said before it began.
template <class C>
void snapshots_under_load(std::size_t rounds, std::size_t every_to_file) {
  constexpr std::size_t writers = 3, most = 60'000 / fewer;
  auto f = recipe<C>::empty(writers * most, 0.01);
  std::array<std::vector<key>, writers> ks;
  std::array<std::atomic<std::size_t>, writers> said{};
  for (std::size_t w = 0; w < writers; ++w) ks[w] = keys(500 + w, most);
  std::atomic<bool> done = false;
  std::size_t lost = 0, checked = 0;
  const temp_dir dir;
  const std::string path = dir / "snapshot";
  with_threads(writers + 1, [&](std::size_t t) {
    if (t < writers) {
      for (std::size_t i = 0; i < most && !done; ++i) {
        if (i % 2 == 0 || i + 16 > most) {
          f.insert(ks[t][i]);
        } else {
          f.insert(std::span<const key>(ks[t]).subspan(i, 16));
          i += 15;
        }
        said[t].store(i + 1, std::memory_order_release);
      }
      return;
    }
    for (std::size_t r = 0; r < rounds; ++r) {
      std::array<std::size_t, writers> must_have;
      for (std::size_t w = 0; w < writers; ++w)
        must_have[w] = said[w].load(std::memory_order_acquire);
      const bool to_file = r % every_to_file == 0;
      if (to_file) must(save_snapshot(f, path.c_str()));
      read_report report;
      using plain = typename C::plain;
      const auto copy = to_file ? must(load_container<plain>(path.c_str(), {}, &report))
                                : must(f.snapshot());
      EXPECT_EQ(report.damaged_chunks, 0u);
      if (to_file) {
        EXPECT_EQ(report.facts.ones, copy.ones());
      }
      for (std::size_t w = 0; w < writers; ++w) {
        const auto in = std::span<const key>(ks[w]).first(must_have[w]);
        lost +=
            in.size() - count_maybe(ask(copy, std::vector<key>(in.begin(), in.end())));
        checked += in.size();
      }
    }
    done = true;
  });
  EXPECT_EQ(lost, 0u);
  EXPECT_GT(checked, 0u);
}

TYPED_TEST(Snapshot, HoldsWhatHappenedBefore) { snapshots_under_load<TypeParam>(40, 4); }

template <class C>
class SnapshotFull : public ::testing::Test {};
TYPED_TEST_SUITE(SnapshotFull, snapshot_filters, filter_names);

TYPED_TEST(SnapshotFull, AThousandUnderLoad) {
  BLOOMERY_FULL_ONLY();
  for (int i = 0; i < 25; ++i) snapshots_under_load<TypeParam>(40, 4);
}

}  // namespace
}  // namespace bloomery::testing
