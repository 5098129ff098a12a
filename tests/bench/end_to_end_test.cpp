// The calls with a user's keys, as `bloomery bench` measures them: every kind has its
// figures, and a filter that is wrong has none.  No test depends on a time.
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <bloomery/hasher.hpp>
#include <bloomery/kinds.hpp>

#include "kit/end_to_end.hpp"
#include "kit/kinds.hpp"
#include "kit/table.hpp"
#include "must.hpp"

namespace bloomery::testing {
namespace {

using bench::operation;

TEST(BenchEndToEnd, EveryKindHasItsFiguresForEveryKey) {
  for (const bench::kind& k : bench::kinds()) {
    const auto rows = must(k.end_to_end(1000, 0.01, {.rounds = 1}));
    ASSERT_EQ(rows.size(), 5u);
    EXPECT_EQ(rows[0].type, "u64");
    const bool grows = !find_kind(k.name)->can.has(capability::build);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(rows[i].type, i == 0 ? "u64" : "text");
      EXPECT_EQ(rows[i].key_bytes, std::size_t{4} << std::max<std::size_t>(i, 1));
      EXPECT_GT(rows[i].bits_per_key, 1) << k.name;
      EXPECT_LT(rows[i].measured_fpr, 0.02) << k.name;
      for (const operation o : bench::user_operations) {
        ASSERT_EQ(rows[i].times[o].has_value(), grows || !bench::info_of(o).writes)
            << k.name << bench::info_of(o).name;
        if (rows[i].times[o]) {
          EXPECT_GT(rows[i].times[o]->min, 0) << k.name;
        }
      }
    }
    const std::string table = bench::end_to_end_table(rows);
    EXPECT_NE(table.find("| u64 | "), std::string::npos) << table;
    EXPECT_NE(table.find("| text, 64 bytes | "), std::string::npos) << table;
    EXPECT_EQ(table.find(" - |") == std::string::npos, grows) << table;
  }
}

// A set of keys that may be told to forget one, in one of its calls.
template <class Key>
class faulty_set final : public bench::user_filter<Key> {
 public:
  enum class fault { none, loses_single, loses_batched, batches_disagree };
  static inline fault now = fault::none;

  void clear() override { all_.clear(); }
  void insert_each(std::span<const Key> ks) override {
    add(ks.subspan(now == fault::loses_single));
  }
  void insert_batched(std::span<const Key> ks) override {
    add(ks.subspan(now == fault::loses_batched));
  }
  std::uint64_t count_each(std::span<const Key> ks) const override {
    return static_cast<std::uint64_t>(
        std::ranges::count_if(ks, [this](Key k) { return all_.contains(own(k)); }));
  }
  std::uint64_t count_batched(std::span<const Key> ks) const override {
    return count_each(ks) - (now == fault::batches_disagree);
  }
  bool forgets() const override { return false; }
  std::size_t bytes() const override { return 8 * all_.size(); }

 private:
  // Keys of text are views of buffers that end before the filter does.
  static auto own(Key k) {
    if constexpr (std::same_as<Key, std::string_view>)
      return std::string(k);
    else
      return k;
  }
  void add(std::span<const Key> ks) {
    for (const Key k : ks) all_.insert(own(k));
  }

  std::set<decltype(own(Key()))> all_;
};

template <class Key>
constexpr bench::user_filter_maker<Key> faulty_maker() {
  return {[](std::uint64_t, double) -> typename bench::user_filter_maker<Key>::made {
            return std::unique_ptr<bench::user_filter<Key>>(new faulty_set<Key>());
          },
          nullptr};
}

TEST(BenchEndToEnd, AFilterThatIsWrongIsNotTimed) {
  using integers = faulty_set<std::uint64_t>;
  const bench::user_kind k{"set", faulty_maker<std::uint64_t>(),
                           faulty_maker<std::string_view>(),
                           []() noexcept { return hasher::xxh3(); }};
  const auto measured = [&] {
    return must(bench::measure_end_to_end(k, 100, 0.01, {.rounds = 1}));
  };
  EXPECT_EQ(measured().size(), 5u);
  for (const auto fault : {integers::fault::loses_single, integers::fault::loses_batched,
                           integers::fault::batches_disagree}) {
    integers::now = fault;
    EXPECT_THROW((void)measured(), std::runtime_error) << static_cast<int>(fault);
  }
  integers::now = integers::fault::none;
}

}  // namespace
}  // namespace bloomery::testing
