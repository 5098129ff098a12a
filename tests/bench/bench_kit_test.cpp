// The bench kit: which kinds it measures, which figures a kind has, and that a filter
// that is wrong has none.  No test depends on a time.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/filter.hpp>
#include <bloomery/kinds.hpp>

#include "comparison/native_filter.hpp"
#include "fingerprint_array.hpp"
#include "kit/kinds.hpp"
#include "kit/machine.hpp"
#include "kit/spec_of.hpp"
#include "kit/table.hpp"
#include "must.hpp"

namespace bloomery::testing {
namespace {

using bench::operation;

constexpr std::array inserts{operation::insert, operation::insert_batched,
                             operation::string_insert_batched};
const bench::options once{.rounds = 1, .threads = 2};

// A filter that is full at some point: a hash table of whole keys.
class small_table {
 public:
  static constexpr kind_facts kind{
      .number = container_kind{101},  // no file has it
      .name = "small-table",
      .summary = "a hash table of whole keys",
      .hasher = []() noexcept { return bloomery::hasher::xxh3(); }};
  struct params {
    std::uint64_t keys = 0;
    double fpr = 0.01;
  };
  static inline std::uint64_t refused_from = 0;  // its limit; 0: what it was made for
  static inline double slots_per_key = 2;
  static inline bool keeps_all = false;  // it erases nothing

  static result<small_table> make(params p) { return small_table(p.keys); }
  static const char* kernel_name() noexcept { return "none"; }

  result<void> try_insert(key k) noexcept {
    const std::size_t at = find(k);
    if (slots_[at] == k.bits()) return {};
    if (used_ == limit_) return error{errc::full, "no slot is left"};
    slots_[at] = k.bits();
    ++used_;
    return {};
  }
  result<void> try_insert(std::string_view s) noexcept { return try_insert(hash(s)); }
  std::size_t try_insert(std::span<const key> ks) noexcept {
    for (std::size_t i = 0; i < ks.size(); ++i)
      if (!try_insert(ks[i])) return i;
    return ks.size();
  }
  void clear() noexcept {
    std::ranges::fill(slots_, 0u);
    used_ = 0;
  }

  // The keys behind it in its run are put in anew.
  result<void> erase_present(key k) noexcept {
    std::size_t at = find(k);
    if (slots_[at] == 0 || keeps_all) return error{errc::not_present, "not in the table"};
    slots_[at] = 0;
    for (at = next(at); slots_[at] != 0; at = next(at)) {
      const std::uint64_t moved = std::exchange(slots_[at], 0);
      slots_[find(key::from_bits(moved))] = moved;
    }
    --used_;
    return {};
  }
  result<void> erase_present(std::string_view s) noexcept {
    return erase_present(hash(s));
  }
  result<std::size_t> erase_present(std::span<const key> ks,
                                    std::span<bool> erased) noexcept {
    std::size_t n = 0;
    for (std::size_t i = 0; i < ks.size(); ++i)
      n += erased[i] = erase_present(ks[i]).has_value();
    return n;
  }
  result<receipt> try_insert_with_receipt(key k) noexcept {
    if (auto in = try_insert(k); !in) return in.error();
    return receipt::issue(hasher(), k, 0);
  }
  result<receipt> try_insert_with_receipt(std::string_view s) noexcept {
    return try_insert_with_receipt(hash(s));
  }
  result<void> erase(receipt&& r) noexcept {
    const auto k = r.key_for(hasher(), 0);
    return k ? erase_present(*k) : result<void>(k.error());
  }

  bool may_contain(key k) const noexcept { return slots_[find(k)] == k.bits(); }
  bool may_contain(std::string_view s) const noexcept { return may_contain(hash(s)); }
  void may_contain(std::span<const key> ks, std::span<bool> out) const noexcept {
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = may_contain(ks[i]);
  }
  void may_contain(std::span<const std::string_view> ks,
                   std::span<bool> out) const noexcept {
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = may_contain(ks[i]);
  }

  bloomery::hasher hasher() const noexcept { return kind.hasher(); }
  key hash(std::string_view s) const noexcept { return hasher().hash(s); }
  double expected_fpr(std::uint64_t) const noexcept { return 0; }
  double realised_fpr() const noexcept { return 0; }
  double estimated_keys() const noexcept { return static_cast<double>(used_); }
  double fill() const noexcept {
    return static_cast<double>(used_) / static_cast<double>(slots_.size());
  }
  std::uint64_t capacity() const noexcept { return limit_; }
  std::size_t size_in_bytes() const noexcept { return 8 * slots_.size(); }
  std::span<const std::byte> bytes() const noexcept {
    return std::as_bytes(std::span(slots_));
  }

 private:
  explicit small_table(std::uint64_t keys)
      : limit_(refused_from != 0 ? refused_from : keys),
        slots_(static_cast<std::size_t>(slots_per_key * static_cast<double>(keys)) + 1) {}

  // Its slot, or the free one where it belongs.
  std::size_t find(key k) const noexcept {
    std::size_t at = k.bits() % slots_.size();
    while (slots_[at] != 0 && slots_[at] != k.bits()) at = next(at);
    return at;
  }
  std::size_t next(std::size_t at) const noexcept { return (at + 1) % slots_.size(); }

  std::uint64_t limit_, used_ = 0;
  std::vector<std::uint64_t> slots_;  // 0: free
};
static_assert(bounded<small_table> && !insertable<small_table>);
static_assert(erasable<small_table>);

TEST(Machine, TimesOfABusyMachineAreNotWritten) {
  EXPECT_NO_THROW(bench::require_idle(0.0));
  EXPECT_NO_THROW(bench::require_idle(bench::max_load_to_write));
  try {
    bench::require_idle(3.05);
    ADD_FAILURE() << "a load of 3.05 was accepted";
  } catch (const std::runtime_error& e) {
    EXPECT_NE(std::string_view(e.what()).find("is 3.05"), std::string_view::npos)
        << e.what();
  }
  EXPECT_THROW(bench::require_idle(0.51), std::runtime_error);
}

TEST(BenchKit, MeasuresEveryKindOfTheLibrary) {
  ASSERT_EQ(bench::kinds().size(), kinds().size());
  for (std::size_t i = 0; i < kinds().size(); ++i)
    EXPECT_EQ(bench::kinds()[i].name, kinds()[i].facts.name);
  for (const kind_info& k : kinds())
    EXPECT_EQ(bench::find_kind(k.facts.name)->name, k.facts.name);
  EXPECT_EQ(bench::find_kind("fingerprint-array"), nullptr);
}

TEST(BenchKit, EveryKindHasItsFigures) {
  for (const bench::kind& k : bench::kinds()) {
    const auto f = must(k.measure(1000, 0.01, once));
    EXPECT_EQ(f.kind, k.name);
    EXPECT_FALSE(f.kernel.empty());
    EXPECT_GT(f.build.min, 0);
    EXPECT_LT(f.measured_fpr, 0.02) << k.name;
    const capabilities can = find_kind(k.name)->can;
    for (const auto& o : bench::operations)
      EXPECT_EQ(f.ours[o.what].has_value(), o.erases() ? can.has(capability::erase)
                                            : o.writes ? !can.has(capability::build)
                                                       : true)
          << k.name << o.name;
    if (can.has(capability::insert)) {
      EXPECT_FALSE(f.growing) << "it is never full";
    }
    for (const bench::timing& t :
         {f.floor.load, f.floor.update, f.floor2.load, f.floor2.load_batched,
          f.floor2.update, f.floor2.update_batched})
      EXPECT_GT(t.min, 0) << k.name;
  }
}

TEST(BenchKit, AKindThatIsOnlyBuiltHasNoInserts) {
  const auto spec = bench::spec_of<fingerprint_array>(1000, 0.01);
  EXPECT_FALSE(spec.make);
  const auto f = must(bench::measure(spec, once));
  EXPECT_EQ(f.kind, "fingerprint-array");
  EXPECT_EQ(f.bytes, 4000u);
  EXPECT_GT(f.build.min, 0);
  EXPECT_FALSE(f.build_threaded) << "its build takes no threads";
  for (const auto& o : bench::operations)
    EXPECT_EQ(f.ours[o.what].has_value(), !o.writes) << o.name;
  const std::string table = bench::speed_table({&f, 1});
  EXPECT_NE(table.find("| 1k | insert | - | - | - |\n"), std::string::npos) << table;
  EXPECT_EQ(table.find("erase"), std::string::npos) << table;
  EXPECT_EQ(table.find("| 1k | present | -"), std::string::npos) << table;
}

TEST(BenchKit, ABoundedKindHasThem) {
  const auto f = must(bench::measure(bench::spec_of<small_table>(1000, 0.01), once));
  for (const operation o : inserts) EXPECT_GT(f.ours[o]->min, 0);
  EXPECT_EQ(f.measured_fpr, 0);
  EXPECT_FALSE(f.growing) << "94 % of its slots are more keys than it takes";
}

TEST(BenchKit, AnErasableKindHasErases) {
  const auto f = must(bench::measure(bench::spec_of<small_table>(1000, 0.01), once));
  EXPECT_GT(f.ours[operation::erase]->min, 0);
  EXPECT_GT(f.ours[operation::erase_batched]->min, 0);
  const std::string table = bench::speed_table({&f, 1});
  EXPECT_NE(table.find("| 1k | erase, batched | "), std::string::npos) << table;
}

TEST(BenchKit, AFilterThatErasesNothingIsNotTimed) {
  small_table::keeps_all = true;
  EXPECT_THROW((void)bench::measure(bench::spec_of<small_table>(1000, 0.01), once),
               std::runtime_error);
  small_table::keeps_all = false;
}

// Up to 94 % of the slots: the first tenth of the keys and the last by themselves.
TEST(BenchKit, ABoundedKindIsMeasuredUntilItIsNearlyFull) {
  small_table::slots_per_key = 1.06;
  const auto f = must(bench::measure(bench::spec_of<small_table>(1000, 0.01), once));
  small_table::slots_per_key = 2;
  ASSERT_TRUE(f.growing && f.growing_batched);
  EXPECT_NEAR(f.growing->load, 0.94, 0.002);
  for (const bench::growth& g : {*f.growing, *f.growing_batched})
    for (const bench::timing& t : {g.all, g.first, g.last}) EXPECT_GT(t.min, 0);
  const std::string table = bench::speed_table({&f, 1});
  EXPECT_NE(table.find("| 1k | insert, batched, up to 94 % load: last tenth | "),
            std::string::npos)
      << table;
}

TEST(BenchKit, AFilterThatRefusesAKeyIsNotTimed) {
  small_table::refused_from = 999;
  EXPECT_THROW((void)bench::measure(bench::spec_of<small_table>(1000, 0.01), once),
               std::runtime_error);
  small_table::refused_from = 0;
}

TEST(BenchKit, AFilterThatLosesAKeyIsNotTimed) {
  fingerprint_array::faults::now().drops_a_key = true;
  EXPECT_THROW((void)bench::measure(bench::spec_of<fingerprint_array>(1000, 0.01), once),
               std::runtime_error);
  fingerprint_array::faults::now() = {};
}

TEST(BenchKit, ABuildThatFailsIsAnError) {
  fingerprint_array::faults::now().full = true;
  const auto f = bench::measure(bench::spec_of<fingerprint_array>(1000, 0.01), once);
  fingerprint_array::faults::now() = {};
  ASSERT_FALSE(f);
  EXPECT_EQ(f.error().code, errc::full);
}

// The table of calls by which native filters and peers are compared.
TEST(BenchComparison, AKindThatIsOnlyBuiltHasNoInserts) {
  const bloomery_peer p = bench::native_filter<fingerprint_array>::calls();
  EXPECT_EQ(p.make, nullptr);
  EXPECT_EQ(p.insert, nullptr);
  EXPECT_EQ(p.insert_batched, nullptr);
  EXPECT_FALSE(p.build_takes_threads);
  const std::vector<std::uint64_t> ks{1, 2, 3, std::uint64_t{4} << 32};
  const std::shared_ptr<void> f(p.build(ks.data(), ks.size(), 0.01, 1), p.free);
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(p.count(f.get(), ks.data(), ks.size()), 4u);
  EXPECT_EQ(p.count_batched(f.get(), ks.data(), ks.size()), 4u);
  EXPECT_EQ(p.bytes(f.get()), 8u) << "the upper halves of the keys, each once";
}

TEST(BenchComparison, ABoundedKindTakesKeys) {
  const bloomery_peer p = bench::native_filter<small_table>::calls();
  const std::vector<std::uint64_t> ks{1, 2, 3};
  const std::shared_ptr<void> f(p.make(2, 0.01), p.free);
  p.insert(f.get(), ks.data(), 2);
  EXPECT_EQ(p.count(f.get(), ks.data(), ks.size()), 2u);
  EXPECT_THROW(p.insert(f.get(), ks.data(), 3), std::runtime_error) << "it is full";
  p.clear(f.get());
  p.insert_batched(f.get(), ks.data(), 2);
  EXPECT_EQ(p.count_batched(f.get(), ks.data(), ks.size()), 2u);
  EXPECT_THROW(p.insert_batched(f.get(), ks.data(), 3), std::runtime_error);
}

TEST(BenchComparison, AnErasableKindErases) {
  const bloomery_peer p = bench::native_filter<small_table>::calls();
  const bench::erase_calls erases = bench::native_filter<small_table>::erases();
  const std::vector<std::uint64_t> ks{1, 2, 3};
  const std::shared_ptr<void> f(p.make(2, 0.01), p.free);
  p.insert(f.get(), ks.data(), 2);
  EXPECT_EQ(erases.each(f.get(), ks.data(), 3), 2u);
  EXPECT_EQ(p.count(f.get(), ks.data(), 3), 0u);
  p.insert(f.get(), ks.data(), 2);
  EXPECT_EQ(erases.batched(f.get(), ks.data(), 3), 2u);
  EXPECT_EQ(bench::native_filter<block_bloom>::erases().each, nullptr);
}

}  // namespace
}  // namespace bloomery::testing
