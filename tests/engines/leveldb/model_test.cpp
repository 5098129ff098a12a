// No Get is wrong: random operations beside a std::map, with our filters and with bytes
// in their place that no policy of ours wrote.
#include <string>
#include <utility>

#include "cases.hpp"
#include "full.hpp"
#include "model.hpp"

namespace bloomery_leveldb::testing {
namespace {

using bloomery::testing::random;

std::uint64_t operations() { return bloomery::testing::full_run() ? 1'000'000 : 100'000; }

TEST(LevelDbModel, NoGetIsWrong) {
  for (auto& [p, name] :
       {std::pair{10, policy_name::built_in}, std::pair{10, policy_name::own},
        std::pair{2, policy_name::built_in}, std::pair{28, policy_name::built_in}}) {
    model m(ours(p, name), static_cast<std::uint64_t>(p));
    ASSERT_NO_FATAL_FAILURE(m.run(operations()));
    EXPECT_GT(m.policy_counts().refused, operations() / 20);
    EXPECT_GT(m.found_by_filter, 0u);
    EXPECT_GT(m.found_in_memory, 0u);
    bloomery::testing::count_cases("operations", operations());
    bloomery::testing::count_cases("gets", m.gets);
  }
}

// The last byte is none that the built-in policy takes for its own: under its name, what
// ends like one of its filters, which have no checksum, is looked up as one.
std::string& foreign(std::string& filter) {
  if (!filter.empty() && static_cast<unsigned char>(filter.back()) <= 30)
    filter.back() = static_cast<char>(filter.back() | 32);
  return filter;
}

std::string random_bytes(random& from, std::size_t size) {
  std::string out(size, '\0');
  for (char& c : out) c = static_cast<char>(from.next() & 0xff);
  return out;
}

void expect_no_wrong_get(policy p, const forger::forgery& forge) {
  model m(policy(std::make_unique<forger>(std::move(p), forge)), 31);
  const std::uint64_t some = operations() / 4;  // of each forgery; a million of all
  ASSERT_NO_FATAL_FAILURE(m.run(some));
  EXPECT_EQ(m.policy_counts().refused, 0u) << "a forged filter has refused a key";
  EXPECT_GT(m.policy_counts().passed, 0u);
  bloomery::testing::count_cases("operations", some);
}

struct forged {
  const char* name;
  forger::forgery forge;
};

TEST(LevelDbModel, RandomBytesAsFilters) {
  for (const policy_name name : {policy_name::built_in, policy_name::own}) {
    random from(5);
    const auto as = [&](std::string bytes, std::string& f) {
      f = std::move(bytes);
      if (name == policy_name::built_in) foreign(f);
    };
    const forged all[] = {
        {"as long", [&](std::string& f) { as(random_bytes(from, f.size()), f); }},
        {"of any length",
         [&](std::string& f) { as(random_bytes(from, 1 + from.below(300)), f); }},
        {"with a mark of ours",
         [&](std::string& f) { as(random_bytes(from, f.size() - 1) + f.back(), f); }},
        {"one byte", [&](std::string& f) { f = random_bytes(from, 1); }},
    };
    for (const forged& one : all) {
      SCOPED_TRACE(one.name);
      ASSERT_NO_FATAL_FAILURE(expect_no_wrong_get(ours(10, name), one.forge));
    }
  }
}

TEST(LevelDbModel, DamagedFilters) {
  for (const policy_name name : {policy_name::built_in, policy_name::own}) {
    random from(6);
    const forged all[] = {
        {"one bit",
         [&](std::string& f) {
           char& c = f[from.below(f.size())];
           c = static_cast<char>(c ^ 1 << from.below(8));
         }},
        {"cut",
         [&](std::string& f) {
           f.resize(1 + from.below(f.size() - 1));
           foreign(f);
         }},
        {"zeros", [&](std::string& f) { f.assign(f.size(), '\0'); }},
        {"ones", [&](std::string& f) { f.assign(f.size(), '\377'); }},
    };
    for (const forged& one : all) {
      SCOPED_TRACE(one.name);
      ASSERT_NO_FATAL_FAILURE(expect_no_wrong_get(ours(10, name), one.forge));
    }
  }
}

// Filters of another policy under our name: all keys pass.
TEST(LevelDbModel, FiltersOfAnotherPolicyUnderOurName) {
  random from(7);
  const auto bloom = built_in();
  const auto theirs = [&](std::string& f) {  // the built-in's, of other keys
    std::string key = random_bytes(from, 16);
    const leveldb::Slice one(key);
    f.clear();
    bloom->CreateFilter(&one, 1, &f);
  };
  const auto with_header = [&](std::string& f) {  // which has its parameters in front
    f = std::string("\7\0\1", 3) + random_bytes(from, 40) +
        char('\200' | from.below(128));
  };
  ASSERT_NO_FATAL_FAILURE(expect_no_wrong_get(ours(10, policy_name::own), theirs));
  ASSERT_NO_FATAL_FAILURE(expect_no_wrong_get(ours(10, policy_name::own), with_header));
  ASSERT_NO_FATAL_FAILURE(expect_no_wrong_get(ours(), with_header));
}

}  // namespace
}  // namespace bloomery_leveldb::testing
