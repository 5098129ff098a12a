// The table of kinds beside spec/kinds.json, and what it promises.
#include <bloomery/kinds.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <bloomery/any_filter.hpp>
#include <bloomery/build.hpp>
#include <bloomery/container.hpp>

#include "ask.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using nlohmann::json;
using testing::must;

json spec_rows() {
  std::ifstream in(BLOOMERY_VECTORS_DIR "/../kinds.json");
  return json::parse(in).at("kinds");
}

std::set<std::string> calls_of(const kind_info& k) {
  std::set<std::string> out;
  for (std::size_t i = 0; i < capabilities_known; ++i)
    if (k.can.has(static_cast<capability>(i)))
      out.insert(name_of(static_cast<capability>(i)));
  return out;
}

TEST(Kinds, AreThoseOfTheSpecification) {
  std::set<int> numbers;
  for (const json& row : spec_rows()) {
    const int number = row.at("kind").get<int>();
    const auto kind = static_cast<container_kind>(number);
    SCOPED_TRACE(number);
    EXPECT_EQ(name_of(kind), row.at("name").get<std::string>());
    const kind_info* const k = find_kind(kind);
    EXPECT_EQ(k != nullptr, is_filter(kind));
    if (k == nullptr) continue;
    numbers.insert(number);
    EXPECT_EQ(k, find_kind(row.at("name").get<std::string>()));
    EXPECT_EQ(calls_of(*k), row.at("can").get<std::set<std::string>>());
    EXPECT_EQ(name_of(k->facts.damage), row.at("damage").get<std::string>());
    EXPECT_EQ(k->facts.keeps_sentinels, row.at("sentinels").get<bool>());
    EXPECT_EQ(k->facts.keeps_sentinels, row.at("keys").get<bool>());
    EXPECT_EQ(k->facts.forgets, row.value("forgets", false));
    EXPECT_EQ(k->facts.any_hasher, row.at("hashes").size() > 1);
    EXPECT_EQ(k->facts.any_hasher, row.at("seed").get<bool>());
    if (!k->facts.any_hasher) {
      EXPECT_EQ(static_cast<int>(k->facts.hasher().id()), row.at("hashes")[0].get<int>());
    }
    const auto units = row.at("units").get<std::string>();
    EXPECT_EQ(units.substr(0, units.find(' ')), k->facts.units);
    EXPECT_EQ(k->facts.parameter_bytes == 0, row.at("parameters").empty());
  }
  EXPECT_EQ(numbers.size(), kinds().size());
}

// Headers with k and units at and beyond what the page allows.
TEST(Kinds, LimitsAreThoseOfTheSpecification) {
  for (const json& row : spec_rows()) {
    const auto kind = static_cast<container_kind>(row.at("kind").get<int>());
    const kind_info* const k = find_kind(kind);
    if (k == nullptr || row.at("k").is_string()) continue;
    if (k->can.has(capability::build) || k->facts.grows || k->facts.forgets)
      continue;  // sized by keys, or as they come: hostile headers test it
    SCOPED_TRACE(k->facts.name);
    const auto min = row.at("k")[0].get<std::uint64_t>();
    const auto max = row.at("k")[1].get<std::uint64_t>();
    const auto make = [&](std::uint64_t units, std::uint64_t hashes) {
      size_request r;
      r.exact = {units, static_cast<std::uint32_t>(hashes)};
      return k->make(0, r, k->facts.hasher());
    };
    // Buckets come in pairs.
    const std::uint64_t least = row.at("payload") == "buckets" ? 2 : 1;
    EXPECT_TRUE(make(least, min));
    EXPECT_EQ(make(least, min - 1).error().code, errc::invalid_argument);
    EXPECT_TRUE(make(least, max));
    if (max < std::numeric_limits<std::uint32_t>::max()) {
      EXPECT_EQ(make(least, max + 1).error().code, errc::too_large);
    }
    if (least > 1) {
      EXPECT_EQ(make(least + 1, min).error().code, errc::invalid_argument);
    }
    EXPECT_EQ(make(0, min).error().code, errc::invalid_argument);
    const char* name = row.contains("max_units") ? "max_units" : "max_bits";
    const auto limit = std::stoull(row.at(name).get<std::string>(), nullptr, 16);
    EXPECT_EQ(make(limit + least, min).error().code, errc::too_large);
  }
}

TEST(Kinds, TheStepFromNumberToTypeIsRefusedForOthers) {
  for (int n = 0; n < 256; ++n) {
    const auto kind = static_cast<container_kind>(n);
    const auto name =
        with_kind(kind, []<class F>(std::type_identity<F>) -> result<std::string> {
          return std::string(F::kind.name);
        });
    EXPECT_EQ(name.has_value(), is_filter(kind)) << n;
    if (name) {
      EXPECT_EQ(*name, name_of(kind));
    } else {
      EXPECT_EQ(name.error().code, errc::unsupported);
    }
  }
}

// Every rule of sizing, for every kind, makes what it says.
TEST(Kinds, SizesAreWhatIsMade) {
  for (const kind_info& k : kinds()) {
    SCOPED_TRACE(k.facts.name);
    for (const std::uint64_t keys : {1u, 10u, 1000u, 50'000u}) {
      size_request by_rate, by_bits, by_memory;
      by_rate.fpr = 0.02;
      by_bits.bits_per_key = 12;
      by_memory.memory = 4096;
      for (const size_request& r : {size_request{}, by_rate, by_bits, by_memory}) {
        const bool may_not_fit = !k.can.has(capability::insert) && !r.is_by_rate();
        if (const auto fits = k.size(keys, r); !fits && may_not_fit) {
          EXPECT_EQ(fits.error().code, errc::unattainable);
          continue;
        }
        const auto size = must(k.size(keys, r));
        const any_filter f =
            must(k.can.has(capability::build)
                     ? k.build(testing::keys(1, keys), keys, r, k.facts.hasher(), 1)
                     : k.make(keys, r, k.facts.hasher()));
        // The size of a ribbon is an expectation: it depends on the keys themselves.
        if (k.facts.number == container_kind::ribbon)
          EXPECT_NEAR(static_cast<double>(f.size_in_bytes()),
                      static_cast<double>(size.bytes),
                      32 + 0.005 * static_cast<double>(size.bytes));
        else
          EXPECT_EQ(f.size_in_bytes(), size.bytes);
        EXPECT_EQ(f.capacity(), keys);
        EXPECT_EQ(f.expected_fpr(f.design_keys()), size.expected_fpr);
        EXPECT_GE(static_cast<double>(size.bytes), k.min_bytes);
        EXPECT_LE(static_cast<double>(size.bytes), k.max_bytes);
        if (r.memory) {
          EXPECT_LE(size.bytes, *r.memory);
          EXPECT_LE(f.size_in_bytes(), *r.memory);
        }
        if (r.is_by_rate() && k.promise == nullptr) {
          // The rate of a stable filter is the root of an equation, to 1 in 10^10.
          EXPECT_LE(size.expected_fpr, r.rate() * (1 + 1e-10));
        }
      }
    }
  }
}

// What is asked too much is told in bytes, whatever a kind counts in.
TEST(Kinds, TooLargeIsToldInBytes) {
  for (const kind_info& k : kinds()) {
    SCOPED_TRACE(k.facts.name);
    const std::uint64_t keys = std::uint64_t{1} << 61;
    size_request by_rate, by_bits;
    by_rate.fpr = 0.01;
    by_bits.bits_per_key = 16;
    for (const size_request& r : {by_rate, by_bits}) {
      const auto size = k.size(keys, r);
      ASSERT_FALSE(size);
      EXPECT_EQ(size.error().code, errc::too_large);
      EXPECT_GT(size.error().asked, k.max_bytes);
      const double bytes_per_key = size.error().asked / static_cast<double>(keys);
      EXPECT_GE(bytes_per_key, 0.8);
      EXPECT_LE(bytes_per_key, k.facts.rate_beside_size                     ? 20
                               : k.facts.number == container_kind::counting ? 10
                                                                            : 2.5);
    }
  }
}

TEST(Kinds, SizingRefusesTheSameEverywhere) {
  for (const kind_info& k : kinds()) {
    SCOPED_TRACE(k.facts.name);
    const auto code = [&](std::uint64_t keys, const size_request& r) {
      const auto size = k.size(keys, r);
      return size ? errc{} : size.error().code;
    };
    size_request r;
    EXPECT_EQ(code(0, r), errc::invalid_argument);
    for (const double fpr : {0.0, 1.0, -1.0, std::nan("")}) {
      r.fpr = fpr;
      EXPECT_EQ(code(10, r), errc::invalid_argument) << fpr;
    }
    r = {};
    for (const double bits : {0.0, -1.0, std::nan("")}) {
      r.bits_per_key = bits;
      EXPECT_EQ(code(10, r), errc::invalid_argument) << bits;
    }
    // The smallest filter, not a refusal, unless the keys cannot fit.
    r.bits_per_key = 1e-9;
    const bool always_fits = k.can.has(capability::insert) && !k.facts.rate_beside_size;
    EXPECT_EQ(code(10, r), always_fits ? errc{} : errc::unattainable);
    r = {};
    r.memory = 0;
    EXPECT_EQ(code(10, r), errc::invalid_argument);
    if (!k.facts.any_hasher) {
      EXPECT_EQ(k.make(10, {}, hasher::xxh3(7)).error().code, errc::unsupported);
    }
  }
}

// A builder counts, sizes, and gives the notes that a container wants.
TEST(Kinds, OnlyThoseThatEraseHaveAnIdentity) {
  for (const kind_info& k : kinds()) {
    size_request r;
    must(set_option(r, "identity", 7));
    const auto size = k.size(100, r);
    const auto made = k.make(100, r, k.facts.hasher());
    if (k.can.has(capability::erase)) {
      EXPECT_TRUE(size && made) << k.facts.name;
      continue;
    }
    ASSERT_TRUE(!size && !made) << k.facts.name;
    EXPECT_EQ(size.error().code, errc::unsupported) << k.facts.name;
    EXPECT_EQ(made.error().code, errc::unsupported) << k.facts.name;
  }
}

// The one checker: an option that the kind lacks names the kinds that have it; one that
// it has takes its values and no others.
TEST(Kinds, EveryOptionIsCheckedAgainstEveryKind) {
  for (const kind_info& from : kinds())
    for (const kind_option& o : from.options) {
      SCOPED_TRACE(o.name);
      size_request r;
      switch (o.type) {
        case option_type::flag:
          must(set_option(r, o.name, true));
          break;
        case option_type::real:
          must(set_option(r, o.name, std::max(1.0, o.min)));
          break;
        case option_type::count:
          must(set_option(r, o.name,
                          o.choices.empty() ? static_cast<std::uint64_t>(o.min) + 7
                                            : o.choices.back().value));
          break;
        case option_type::name:
          must(set_option(r, o.name, o.choices.front().name));
      }
      for (const kind_info& k : kinds()) {
        const bool has = std::ranges::any_of(k.options, [&](const kind_option& own) {
          return std::string_view(own.name) == o.name;
        });
        const auto checked = check_options(k, r.options);
        ASSERT_EQ(checked.has_value(), has) << k.facts.name;
        if (has) continue;
        EXPECT_EQ(checked.error().code, errc::unsupported);
        const std::string what = checked.error().what;
        EXPECT_NE(what.find(from.facts.name), std::string::npos) << what;
        EXPECT_NE(what.find(o.name), std::string::npos) << what;
        EXPECT_EQ(k.layout(1000, r).error().code, errc::unsupported) << k.facts.name;
      }
      // No other value; no other type.
      size_request wrong;
      if (o.type == option_type::count && !o.choices.empty()) {
        must(set_option(wrong, o.name, 5));
        EXPECT_EQ(check_options(from, wrong.options).error().code, o.refusal);
      }
      EXPECT_FALSE(set_option(wrong, o.name, "no such value"));
      EXPECT_FALSE(o.type == option_type::flag ? set_option(wrong, o.name, 2.5)
                                               : set_option(wrong, o.name, true));
    }
  size_request r;
  EXPECT_EQ(set_option(r, "no_such_option", 3).error().code, errc::invalid_argument);
  EXPECT_EQ(set_option(r, "identity", -1).error().code, errc::invalid_argument);
  EXPECT_TRUE(set_option(r, "identity", 0));  // the preset: no setting
  EXPECT_TRUE(set_option(r, "foldable", false));
  EXPECT_TRUE(r.options.empty());
  must(set_option(r, "arity", 3));
  must(set_option(r, "arity", "4"));
  EXPECT_EQ(r.options.begin()->value, 4u);
  EXPECT_EQ(r.options.end() - r.options.begin(), 1);
}

// Kinds share the names of options and fields, so these mean the same everywhere.
TEST(Kinds, OptionsAndFieldsOfOneNameAreAlike) {
  for (const kind_info& a : kinds())
    for (const kind_info& b : kinds()) {
      for (const kind_option& x : a.options)
        for (const kind_option& y : b.options) {
          if (std::string_view(x.name) != y.name) continue;
          EXPECT_EQ(x.type, y.type) << x.name;
          EXPECT_EQ(x.preset, y.preset) << x.name;
          for (const option_choice& c : x.choices)
            for (const option_choice& d : y.choices)
              EXPECT_EQ(std::string_view(c.name) == d.name, c.value == d.value);
        }
      for (const kind_field& x : a.fields)
        for (const kind_field& y : b.fields)
          if (std::string_view(x.name) == y.name) {
            EXPECT_EQ(x.group, y.group) << x.name;
            EXPECT_STREQ(x.unit, y.unit) << x.name;
            EXPECT_EQ(x.is_table(), y.is_table()) << x.name;
          }
    }
}

// What for_each_field says is what the filter's own calls say, and what read_field says.
TEST(Kinds, FieldsAreWhatTheFilterHas) {
  const auto in = testing::keys(5, 1000);
  for (const kind_info& k : kinds()) {
    SCOPED_TRACE(k.facts.name);
    const any_filter f = must(k.build(in, 1000, {}, k.facts.hasher(), 1));
    std::size_t seen = 0;
    f.visit([&](const auto& any) {
      for_each_field(any, all_fields, [&](const field_place& at, const field_value& v) {
        ASSERT_LT(seen, k.fields.size());
        if (at.field != &k.fields[seen]) ++seen;  // after the rows of a table
        ASSERT_EQ(at.field, &k.fields[seen]);
        if (at.field->is_table()) return;
        ++seen;
        const field_value one = must(read_field(any, at.field->name));
        EXPECT_EQ(one.what, v.what) << at.field->name;
        EXPECT_EQ(one.count, v.count) << at.field->name;
        if (v.real == v.real) {
          EXPECT_EQ(one.real, v.real) << at.field->name;
        }
      });
      EXPECT_EQ(read_field(any, "bytes")->count, any.size_in_bytes());
      EXPECT_EQ(read_field(any, "realised_fpr")->real, any.realised_fpr());
      EXPECT_EQ(read_field(any, "no such field").error().code, errc::unsupported);
      // The layout takes no pass over the filter.
      for_each_field(any, static_cast<unsigned>(field_group::layout),
                     [&](const field_place& at, const field_value&) {
                       EXPECT_EQ(at.field->group, field_group::layout);
                     });
    });
    EXPECT_GE(seen + 1, k.fields.size());
  }
}

TEST(Kinds, BuildersKnowTheirDistinctKeys) {
  const auto in = testing::keys(3, 1000);
  for (const kind_info& k : kinds()) {
    SCOPED_TRACE(k.facts.name);
    filter_builder all;
    must(all.add(in));
    must(all.add(std::span(in).first(500)));
    const auto built = must(all.finish(k.facts.number, {}, k.facts.hasher()));
    EXPECT_EQ(built.keys, 1000u);
    EXPECT_EQ(built.asked_fpr, 0.01);
    EXPECT_EQ(testing::count_maybe(testing::ask(built.filter, in)), 1000u);
    EXPECT_EQ(built.filter.capacity(), 1000u);
    const auto notes = built.notes();
    EXPECT_EQ(notes.sentinels.size(), k.facts.keeps_sentinels ? 8u : 0u);
    EXPECT_EQ(notes.keys, k.facts.keeps_sentinels ? 1000u : 0u);
  }
  filter_builder none;
  EXPECT_EQ(none.finish(container_kind::foreign, {}, hasher::xxh3()).error().code,
            errc::unsupported);
}

}  // namespace
}  // namespace bloomery
