// Law: a filter lies in the memory of the source it was made in, grows there, gives back
// all of it, and is the filter that it would be in the system's memory.
#include <cstddef>
#include <cstdlib>
#include <span>
#include <unordered_map>

#include <gtest/gtest.h>

#include <bloomery/pages.hpp>

#include "cases.hpp"
#include "form.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

class MemoryOfItsMaker : public law {};
INSTANTIATE_TEST_SUITE_P(Filters, MemoryOfItsMaker, ::testing::ValuesIn(every_form()),
                         form_name);

// Counts what it gave, and puts it 16 bytes behind a line, as malloc may.
class counting_source {
 public:
  counting_source() noexcept : source_{allocate, release, this} {}
  const memory_source& source() const noexcept { return source_; }
  std::size_t live() const noexcept { return live_; }
  std::size_t calls() const noexcept { return calls_; }

 private:
  static void* allocate(std::size_t size, void* self) noexcept {
    auto& s = *static_cast<counting_source*>(self);
    ++s.calls_;
    auto* line =
        static_cast<std::byte*>(std::aligned_alloc(64, (size + 16 + 63) / 64 * 64));
    if (line == nullptr) return nullptr;
    s.live_ += size;
    s.sizes_[line + 16] = size;
    return line + 16;
  }
  static void release(void* memory, void* self) noexcept {
    auto& s = *static_cast<counting_source*>(self);
    const auto found = s.sizes_.find(memory);
    ASSERT_NE(found, s.sizes_.end()) << "released twice, or never allocated";
    s.live_ -= found->second;
    s.sizes_.erase(found);
    std::free(static_cast<std::byte*>(memory) - 16);
  }

  std::size_t live_ = 0, calls_ = 0;
  std::unordered_map<void*, std::size_t> sizes_;
  memory_source source_;
};

TEST_P(MemoryOfItsMaker, HoldsAllOfIt) {
  const auto ks = keys(1, 3000);
  const subject same = GetParam().of(ks, 0.01);
  counting_source from;
  {
    const subject f = [&] {
      const memory_scope scope(from.source());
      return GetParam().of(ks, 0.01);
    }();
    EXPECT_GE(from.live(), f.size_in_bytes());
    EXPECT_TRUE(f == same);
    for (const key k : ks) ASSERT_TRUE(GetParam().forgets || f.may_contain(k));
    count_cases("filters in memory of their makers", 1);
  }
  EXPECT_EQ(from.live(), 0u);
}

TEST_P(MemoryOfItsMaker, GrowsThereOutsideTheScope) {
  if (!GetParam().grows || !GetParam().adds_memory) GTEST_SKIP();
  counting_source from;
  {
    subject f = [&] {
      const memory_scope scope(from.source());
      return GetParam().empty(100, 0.01);
    }();
    const std::size_t before = from.calls();
    const auto ks = keys(2, 5000);
    f.insert(std::span<const key>(ks));
    EXPECT_GT(from.calls(), before);
    EXPECT_GE(from.live(), f.size_in_bytes());
    count_cases("filters in memory of their makers", 1);
  }
  EXPECT_EQ(from.live(), 0u);
}

TEST_P(MemoryOfItsMaker, IsTakenFromTheSystemAfterTheScope) {
  counting_source from;
  { const memory_scope scope(from.source()); }
  const std::size_t before = from.calls();
  const subject f = GetParam().of(keys(3, 100), 0.01);
  EXPECT_EQ(from.calls(), before);
}

}  // namespace
}  // namespace bloomery::testing
