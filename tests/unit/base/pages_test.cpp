#include <bloomery/pages.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <gtest/gtest.h>

#include "must.hpp"
#include "process_memory.hpp"

namespace bloomery {
namespace {

constexpr std::size_t huge = pages::huge_page;

bool is_aligned(const void* p, std::size_t to) {
  return reinterpret_cast<std::uintptr_t>(p) % to == 0;
}

class Pages : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Pages, AreZeroedAlignedAndWritable) {
  const std::size_t size = GetParam();
  for (const auto touch : {pages::prefault::no, pages::prefault::yes}) {
    pages p = testing::must(pages::make(size, touch));
    ASSERT_EQ(p.size(), size);
    ASSERT_EQ(p.bytes().size(), size);
    EXPECT_TRUE(is_aligned(p.data(), size > huge ? huge : pages::alignment));
    // Zero to the end of the last line, which kernels may read.
    const std::size_t whole = (size + 63) / 64 * 64;
    EXPECT_EQ(std::count(p.data(), p.data() + whole, std::byte{0}),
              std::ptrdiff_t(whole));
    std::memset(p.data(), 0xa5, size);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Pages,
                         ::testing::Values(1, 2, 63, 64, 65, 4095, 4096, 4097, huge - 1,
                                           huge, huge + 1, 2 * huge, 3 * huge + 77));

// Memory that was used before comes back zeroed.
TEST(PagesReuse, IsZeroedAgain) {
  for (const std::size_t size : {std::size_t{1000}, huge + 1000})
    for (int round = 0; round < 8; ++round) {
      pages p = testing::must(pages::make(size));
      ASSERT_EQ(std::count(p.data(), p.data() + size, std::byte{0}),
                std::ptrdiff_t(size));
      std::memset(p.data(), 0xff, size);
    }
}

TEST(PagesOwnership, MovesAndLeavesNothingBehind) {
  for (const std::size_t size : {std::size_t{100}, huge + 100}) {
    pages a = testing::must(pages::make(size));
    a.data()[99] = std::byte{7};
    const std::byte* at = a.data();
    pages b = std::move(a);
    EXPECT_EQ(a.data(), nullptr);
    EXPECT_EQ(a.size(), 0u);
    EXPECT_EQ(b.data(), at);
    pages c = testing::must(pages::make(5));
    c = std::move(b);
    EXPECT_EQ(c.data(), at);
    EXPECT_EQ(c.size(), size);
    EXPECT_EQ(c.data()[99], std::byte{7});
  }
}

TEST(PagesOwnership, NoBytesNeedNoMemory) {
  const pages none = testing::must(pages::make(0));
  EXPECT_EQ(none.data(), nullptr);
  EXPECT_TRUE(none.bytes().empty());
}

TEST(PagesFailure, AnAbsurdSizeIsAResult) {
  for (const std::size_t size : {~std::size_t{0}, ~std::size_t{0} - 4096,
                                 std::size_t{1} << 63, (std::size_t{1} << 62) + 1}) {
    const auto p = pages::make(size);
    ASSERT_FALSE(p) << size;
    EXPECT_EQ(p.error().code, errc::too_large);
  }
  // Fits the arithmetic, not the machine: 2^60 bytes.
  const auto p = pages::make(std::size_t{1} << 60);
  ASSERT_FALSE(p);
  EXPECT_EQ(p.error().code, errc::out_of_memory);
  EXPECT_EQ(p.error().asked, 0x1p60);
}

// Given back whole, with the head and tail that alignment cost: address space leaks too.
TEST(PagesFailure, AThousandLargeOnesDoNotAddUp) {
  const std::uint64_t before = testing::process_kib("VmSize:");
  for (int i = 0; i < 1000; ++i) {
    const pages p = testing::must(pages::make((std::size_t{1} << 32) + 1));  // untouched
    ASSERT_TRUE(is_aligned(p.data(), huge));
  }
  EXPECT_LE(testing::process_kib("VmSize:"), before + (64 << 10));
}

// --- memory of the caller ---

// Gives 16 bytes behind a line, as malloc may; counts what is out.
struct offset_source {
  memory_source source{[](std::size_t size, void* self) noexcept -> void* {
                         auto& s = *static_cast<offset_source*>(self);
                         if (s.left == 0) return nullptr;
                         --s.left;
                         ++s.out;
                         s.bytes = size;
                         auto* line = static_cast<std::byte*>(
                             std::aligned_alloc(64, (size + 79) / 64 * 64));
                         std::memset(line, 0xee, size + 16);
                         return line + s.offset;
                       },
                       [](void* p, void* self) noexcept {
                         auto& s = *static_cast<offset_source*>(self);
                         --s.out;
                         std::free(static_cast<std::byte*>(p) - s.offset);
                       },
                       this};
  int left = 1000, out = 0;
  std::size_t bytes = 0, offset = 16;
};

TEST(PagesOfACaller, AreZeroedAlignedAndReleased) {
  for (const std::size_t offset : {0u, 16u}) {
    offset_source from;
    from.offset = offset;
    for (const std::size_t size : {std::size_t{1}, std::size_t{1000}, huge + 1}) {
      const memory_scope scope(from.source);
      pages p = testing::must(pages::make(size));
      EXPECT_TRUE(is_aligned(p.data(), pages::alignment));
      EXPECT_EQ(std::count(p.data(), p.data() + (size + 63) / 64 * 64, std::byte{0}),
                std::ptrdiff_t((size + 63) / 64 * 64));
      EXPECT_EQ(p.allocated_bytes(), from.bytes);
      std::memset(p.data(), 1, size);
      testing::must(p.shorten(size / 2));
      EXPECT_EQ(std::count(p.data(), p.data() + size / 2, std::byte{1}),
                std::ptrdiff_t(size / 2));
      pages q = std::move(p);
      EXPECT_EQ(from.out, size / 2 == 0 ? 0 : 1);
    }
    EXPECT_EQ(from.out, 0);
  }
}

TEST(PagesOfACaller, ScopesNestAndEnd) {
  offset_source a, b;
  pages in_a, in_b, in_a_again, in_system;
  {
    const memory_scope outer(a.source);
    in_a = testing::must(pages::make(100));
    {
      const memory_scope inner(b.source);
      in_b = testing::must(pages::make(100));
      in_a_again = testing::must(pages::make_like(in_a, 100));
    }
    EXPECT_EQ(a.out, 2);
  }
  in_system = testing::must(pages::make(100));
  const memory_scope scope(a.source);
  const pages other = testing::must(pages::make_like(in_system, 100));
  EXPECT_EQ(a.out, 2);
  EXPECT_EQ(b.out, 1);
  EXPECT_EQ(pages::borrow(in_a.bytes()).allocated_bytes(), 0u);
}

TEST(PagesOfACaller, NoneIsAnError) {
  offset_source from;
  from.left = 1;  // and the second try, for an aligned place
  const memory_scope scope(from.source);
  const auto none = pages::make(100);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, errc::out_of_memory);
  EXPECT_EQ(from.out, 0);
  EXPECT_EQ(pages::make(~std::size_t{0} / 2).error().code, errc::too_large);
}

TEST(PagesOfACaller, MoveWhereTheirSourcePutsThem) {
  offset_source from;
  from.offset = 0;
  const memory_scope scope(from.source);
  pages p = testing::must(pages::make(1000));
  std::memset(p.data(), 7, 1000);
  const std::byte* before = p.data();
  EXPECT_FALSE(
      p.relocate([](void*, void*) noexcept -> void* { return nullptr; }, nullptr));
  EXPECT_EQ(p.data(), before);
  EXPECT_TRUE(p.relocate(
      [](void* old, void*) noexcept -> void* {
        void* moved = std::aligned_alloc(64, 1024);
        std::memcpy(moved, old, 1024);
        std::free(old);
        return moved;
      },
      nullptr));
  EXPECT_EQ(std::count(p.data(), p.data() + 1000, std::byte{7}), 1000);
  pages system = pages::borrow(p.bytes());
  EXPECT_FALSE(system.relocate([](void* m, void*) noexcept { return m; }, nullptr));
}

}  // namespace
}  // namespace bloomery
