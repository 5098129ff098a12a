#include <bloomery/result.hpp>

#include <cerrno>
#include <memory>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include "must.hpp"

namespace bloomery {
namespace {

TEST(Result, HoldsAValue) {
  const result<int> r = 7;
  ASSERT_TRUE(r);
  EXPECT_TRUE(r.has_value());
  EXPECT_EQ(*r, 7);
}

TEST(Result, HoldsAnErrorWithAllItsParts) {
  const result<int> r = error{errc::corrupt, "why", 12, 3.5, 2.5};
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().code, errc::corrupt);
  EXPECT_STREQ(r.error().what, "why");
  EXPECT_EQ(r.error().at, 12u);
  EXPECT_EQ(r.error().asked, 3.5);
  EXPECT_EQ(r.error().possible, 2.5);
}

TEST(Result, OfAValueThatOnlyMovesGivesItAway) {
  result<std::unique_ptr<int>> r = std::make_unique<int>(5);
  ASSERT_TRUE(r);
  EXPECT_EQ(*r->get(), 5);
  const std::unique_ptr<int> out = *std::move(r);
  EXPECT_EQ(*out, 5);
  EXPECT_EQ(r->get(), nullptr);
}

TEST(Result, OfNothingIsSuccessOrAnError) {
  const result<void> fine;
  EXPECT_TRUE(fine);
  const result<void> wrong = error{errc::io, "disk", 0, 28};
  ASSERT_FALSE(wrong);
  EXPECT_FALSE(wrong.has_value());
  EXPECT_EQ(wrong.error().code, errc::io);
  EXPECT_EQ(wrong.error().asked, 28);
}

TEST(Result, GivesItsValueOrAnother) {
  result<std::unique_ptr<int>> r = std::make_unique<int>(5);
  EXPECT_EQ(*r.value(), 5);
  EXPECT_EQ(*std::as_const(r).value(), 5);
  const std::unique_ptr<int> out = std::move(r).value();
  EXPECT_EQ(*out, 5);
  const result<int> seven = 7, none = error{errc::full, "full"};
  EXPECT_EQ(seven.value_or(1), 7);
  EXPECT_EQ(none.value_or(1), 1);
  EXPECT_EQ(result<std::unique_ptr<int>>(error{errc::full, "full"}).value_or(nullptr),
            nullptr);
  result<void>().value();
}

// In every build, and the error is what it prints.
TEST(ResultDeathTest, WithoutAValueEndsTheProgramWithTheError) {
  const result<int> none = error{errc::full, "no room for the key"};
  EXPECT_DEATH((void)none.value(), "bloomery: no room for the key .full.");
  const result<void> wrong = error{errc::io, "cannot write", 0, ENOSPC};
  EXPECT_DEATH(wrong.value(), "bloomery: cannot write: No space left on device");
}

TEST(Result, NeitherConvertsToBoolSilentlyNorThrows) {
  static_assert(!std::is_convertible_v<result<int>, bool>);
  static_assert(std::is_constructible_v<bool, result<int>>);
  static_assert(std::is_nothrow_move_constructible_v<result<std::unique_ptr<int>>>);
  static_assert(std::is_trivially_copyable_v<error>);
}

TEST(Result, CodesKeepTheirNumbers) {  // they cross the C interface
  EXPECT_EQ(static_cast<int>(errc::invalid_argument), 1);
  EXPECT_EQ(static_cast<int>(errc::too_large), 2);
  EXPECT_EQ(static_cast<int>(errc::out_of_memory), 3);
  EXPECT_EQ(static_cast<int>(errc::unattainable), 4);
  EXPECT_EQ(static_cast<int>(errc::corrupt), 5);
  EXPECT_EQ(static_cast<int>(errc::unsupported), 6);
  EXPECT_EQ(static_cast<int>(errc::incompatible), 7);
  EXPECT_EQ(static_cast<int>(errc::io), 8);
}

}  // namespace
}  // namespace bloomery
