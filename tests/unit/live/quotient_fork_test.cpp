// A process forks while threads change a quotient filter: half a change has no meaning in
// the child, so that what it touched is torn there, and says so.
#include <bloomery/concurrent.hpp>

#include <atomic>
#include <span>
#include <thread>
#include <vector>

#include <sys/mman.h>

#include <gtest/gtest.h>

#include "cases.hpp"
#include "forked.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::testing::quotient_fork_test {
namespace {

using shared = concurrent<quotient>;

class QuotientFork : public WithWatchdog {};

// A count that children share.
class shared_count {
 public:
  shared_count()
      : at_(::mmap(nullptr, sizeof(count), PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {}
  ~shared_count() { ::munmap(at_, sizeof(count)); }
  shared_count(const shared_count&) = delete;
  using count = std::atomic<unsigned>;
  count& operator*() const { return *static_cast<count*>(at_); }

 private:
  void* at_;
};

bool is_done_or(const result<void>& r, errc expected) {
  return r || r.error().code == expected;
}

// In the child: no key is denied, nothing waits, what is torn is refused by name.
void use_in_child(shared& f, std::span<const key> kept, std::span<const key> others,
                  std::atomic<unsigned>& torn) {
  for (const key k : kept) {
    in_child_expect(f.may_contain(k), "a key is denied");
    in_child_expect(f.count(k) >= 1, "a key is not counted");
  }
  const auto copy = f.snapshot();
  if (!copy) {
    in_child_expect(copy.error().code == errc::corrupt, "no snapshot");
    ++torn;
  } else {
    in_child_expect(copy->is_well_formed(), "a snapshot is no filter");
  }
  std::vector<key> in;
  for (const key k : others) {
    const auto done = f.try_insert(k);
    in_child_expect(is_done_or(done, copy ? errc::full : errc::corrupt), "an insert");
    if (done) in.push_back(k);
    in_child_expect(!done || f.may_contain(k), "its own key is denied");
  }
  for (const key k : in) {
    const auto done = f.erase_present(k);
    in_child_expect(copy ? done.has_value() : is_done_or(done, errc::corrupt),
                    "an erase");
  }
  for (const key k : kept) in_child_expect(f.may_contain(k), "a key is denied later");
  bool erased[1];
  const auto some = f.erase_present(kept.first(1), erased);
  in_child_expect(some.has_value() == copy.has_value(), "a batch of erases");
  if (some) must(f.try_insert(kept[0]));

  auto plain = std::move(f).release();
  for (const key k : kept) in_child_expect(plain.may_contain(k), "released: denied");
  in_child_expect(plain.damage().empty() == copy.has_value(), "released: damage");
  if (!copy) {
    in_child_expect(plain.try_insert(others[0]).error().code == errc::corrupt,
                    "released: changed");
    in_child_expect(plain.count(kept[0]) == quotient::unknown_count, "released: count");
    plain.clear();
    must(plain.try_insert(others[0]));
  }
}

TEST_F(QuotientFork, WhatThreadsWereChangingIsTorn) {
  // Long clusters: a change takes long, and most forks meet one.
  const quotient_layout layout{2048, 16, 96};
  const auto kept = keys(1, 3500), moving = keys(2, 1000), others = keys(3, 100);
  auto f = must(shared::adopt(must(quotient::make(layout))));
  ASSERT_EQ(f.try_insert(std::span<const key>(kept)), kept.size());
  const auto change_half = [&](std::size_t which) {
    for (std::size_t i = which; i < moving.size(); i += 2) must(f.try_insert(moving[i]));
    for (std::size_t i = which; i < moving.size(); i += 2)
      must(f.erase_present(moving[i]));
  };
  auto crew = threads_that_repeat([&] { change_half(0); }, [&] { change_half(1); });
  const shared_count torn;
  constexpr int forks = 30;
  for (int i = 0; i < forks; ++i)
    ASSERT_TRUE(ends_well_in_child([&] { use_in_child(f, kept, others, *torn); }));
  for (auto& t : crew) t.request_stop();
  crew.clear();
  EXPECT_GT(*torn, 0u);
  count_cases("forks", forks);
  count_cases("torn children", *torn);
  // The parent has felt nothing.
  auto plain = must(quotient::make(layout));
  ASSERT_EQ(plain.try_insert(std::span<const key>(kept)), kept.size());
  EXPECT_TRUE(std::move(f).release() == plain);
}

// What is written anew is whole.
TEST_F(QuotientFork, ClearMends) {
  auto f = must(shared::adopt(must(quotient::make({512, 16, 64}))));
  const auto kept = keys(1, 3000), moving = keys(2, 500);
  ASSERT_EQ(f.try_insert(std::span<const key>(kept)), kept.size());
  const auto crew = threads_that_repeat([&] {
    for (const key k : moving) must(f.try_insert(k));
    for (const key k : moving) must(f.erase_present(k));
  });
  for (int i = 0; i < 10; ++i)
    ASSERT_TRUE(ends_well_in_child([&] {
      f.clear();
      for (const key k : kept) in_child_expect(f.try_insert(k).has_value(), "an insert");
      in_child_expect(f.snapshot().has_value(), "no snapshot");
      for (const key k : kept) in_child_expect(f.may_contain(k), "a key is denied");
    }));
}

}  // namespace
}  // namespace bloomery::testing::quotient_fork_test
