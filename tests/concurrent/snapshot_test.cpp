// Snapshots under load: each holds everything it must, and its file is whole.
#include <bloomery/block_bloom.hpp>
#include <bloomery/bloom.hpp>
#include <bloomery/portable_bloom.hpp>
#include <bloomery/snapshot.hpp>
#include <bloomery/split_block_bloom.hpp>

#include <atomic>
#include <fstream>

#include <gtest/gtest.h>

#include "all_filters.hpp"
#include "ask.hpp"
#include "cases.hpp"
#include "crew.hpp"
#include "full.hpp"
#include "temp_dir.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

template <class C>
class Snapshot : public ::testing::Test {};
using snapshot_filters = concurrent_types::apply<::testing::Types>;
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
struct load {
  static constexpr std::size_t writers = 3, most = 60'000 / fewer;
  std::array<std::vector<key>, writers> keys_of;
  std::array<std::atomic<std::size_t>, writers> said{};

  load() {
    for (std::size_t w = 0; w < writers; ++w) keys_of[w] = keys(500 + w, most);
  }
  std::array<std::size_t, writers> progress() const {
    std::array<std::size_t, writers> out;
    for (std::size_t w = 0; w < writers; ++w)
      out[w] = said[w].load(std::memory_order_acquire);
    return out;
  }
  template <class C>
  void write(C& f, std::size_t w) {
    const std::span<const key> ks(keys_of[w]);
    for (std::size_t i = 0, step; i < most; i += step) {
      step = i % 32 == 0 && i + 16 <= most ? 16 : 1;
      if (step == 1)
        f.insert(ks[i]);
      else
        f.insert(ks.subspan(i, step));
      said[w].store(i + step, std::memory_order_release);
    }
  }
  template <class F>
  std::size_t missing(const F& f, const std::array<std::size_t, writers>& upto) const {
    std::size_t lost = 0;
    for (std::size_t w = 0; w < writers; ++w) {
      const std::vector<key> in(
          keys_of[w].begin(), keys_of[w].begin() + static_cast<std::ptrdiff_t>(upto[w]));
      lost += in.size() - count_maybe(ask(f, in));
    }
    return lost;
  }
};

// Until the writers are done.  How many were taken while somebody wrote.
template <class C>
std::size_t snapshots_of_one_load() {
  load l;
  auto f = recipe<C>::empty(load::writers * load::most, 0.01);
  const temp_dir dir;
  const std::string path = dir / "snapshot";
  std::size_t lost = 0, taken = 0;
  with_threads(load::writers + 1, [&](std::size_t t) {
    if (t < load::writers) return l.write(f, t);
    auto before = l.progress();
    for (bool writing = true; writing;) {
      const bool to_file = taken % 4 == 0;
      if (to_file) must(save_snapshot(f, path.c_str()));
      read_report report;
      const auto copy =
          to_file ? must(load_container<typename C::plain>(path.c_str(), {}, &report))
                  : must(f.snapshot());
      const auto after = l.progress();
      writing = after != before;
      taken += writing;
      EXPECT_EQ(report.damaged_chunks, 0u);
      if (to_file) {
        EXPECT_EQ(report.facts.ones, copy.ones());
      }
      lost += l.missing(copy, before);
      before = l.progress();
    }
  });
  EXPECT_EQ(lost, 0u);
  return taken;
}

template <class C>
void snapshots_under_load(std::size_t at_least) {
  for (std::size_t taken = 0, loads = 0; taken < at_least; ++loads) {
    const std::size_t some = snapshots_of_one_load<C>();
    taken += some;
    count_cases("snapshots", some);
    ASSERT_LT(loads, 100 * at_least) << "nobody writes meanwhile";
  }
}

TYPED_TEST(Snapshot, HoldsWhatHappenedBefore) { snapshots_under_load<TypeParam>(10); }

template <class C>
class SnapshotFull : public ::testing::Test {};
TYPED_TEST_SUITE(SnapshotFull, snapshot_filters, filter_names);

TYPED_TEST(SnapshotFull, AThousandUnderLoad) {
  BLOOMERY_FULL_ONLY();
  snapshots_under_load<TypeParam>(1000);
}

}  // namespace
}  // namespace bloomery::testing
