// Each allocation of each call that reads or writes fails once: the call says
// out_of_memory, nothing leaks (the sanitizer looks), no file stays open, and the old
// file is untouched.
#include <fcntl.h>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <bloomery/any_filter.hpp>
#include <bloomery/block_bloom.hpp>
#include <bloomery/bloom.hpp>
#include <bloomery/build.hpp>
#include <bloomery/filter_view.hpp>
#include <bloomery/portable_bloom.hpp>
#include <bloomery/split_block_bloom.hpp>

#include "allocations.hpp"
#include "cases.hpp"
#include "container_samples.hpp"
#include "filter_types.hpp"

namespace bloomery::testing {
namespace {

std::size_t open_files() {
  std::size_t n = 0;
  for (int fd = 0; fd < 256; ++fd) n += ::fcntl(fd, F_GETFD) >= 0;
  return n;
}

std::size_t refusals = 0;

// `call` fails for want of memory at its first allocation, at its second ... until it
// needs no more; `after` each.  Returns how many there were.  spare: allocations that it
// may do without (the table of offsets of a large cuckoo filter).
template <class Call, class After>
std::uint64_t fail_each(Call call, After after, unsigned spare = 0) {
  for (std::uint64_t n = 1;; ++n) {
    const std::size_t files = open_files();
    std::uint64_t calls = 0;
    {
      std::optional<allocation_watch> watch(std::in_place, n);
      const auto got = call();
      calls = watch->calls();
      watch.reset();
      if (got && calls >= n && spare != 0) {
        --spare;
        continue;
      }
      if (got) {
        EXPECT_LT(calls, n) << "a refused allocation went unnoticed";
        count_cases("refusals", n - 1);
        return calls;
      }
      EXPECT_EQ(got.error().code, errc::out_of_memory) << n << ": " << got.error().what;
      EXPECT_GE(calls, n) << "failed before anything was refused";
    }
    ++refusals;
    EXPECT_EQ(open_files(), files) << n;
    after();
    if (calls < n || n == 1000) {
      ADD_FAILURE() << "fails still, with all its memory";
      return calls;
    }
  }
}
template <class Call>
std::uint64_t fail_each(Call call, unsigned spare = 0) {
  return fail_each(
      call, [] {}, spare);
}

// Larger than what the heap is used for: memory comes from mappings, too.
constexpr std::size_t many_keys = 2'500'000;

template <class F>
F filter_of(std::size_t n) {
  const auto ks = keys(1, n);
  return must(find_kind(F::kind.number)->build(ks, n, {}, F::kind.hasher(), 1))
      .visit([]<class G>(G& f) -> F {
        if constexpr (std::is_same_v<F, G>)
          return std::move(f);
        else
          throw std::logic_error("a filter of another kind");
      });
}

class AllocationFailure : public ::testing::Test {
 protected:
  static void TearDownTestSuite() { std::printf("%zu allocations refused\n", refusals); }

  // Writing over a file that says "old".
  template <class Write>
  std::uint64_t fail_each_over_a_file(Write write) {
    std::ofstream(path_) << "old";
    return fail_each([&] { return write(path_.c_str()); },
                     [&] {
                       EXPECT_TRUE(text_of(path_) == "old") << "the old file is gone";
                       EXPECT_EQ(folder_.files(), 1u);
                     });
  }

  template <class F>
  void containers(std::size_t n) {
    const F f = filter_of<F>(n);
    const unsigned spare = std::is_same_v<F, cuckoo> && n == many_keys;
    EXPECT_GE(fail_each([&] { return encode_container(f); }), 2u);
    EXPECT_GE(
        fail_each_over_a_file([&](const char* path) { return save_container(f, path); }),
        1u);
    const auto bytes = must(encode_container(f));
    EXPECT_GE(fail_each([&] { return decode_container<F>(bytes.bytes()); }, spare), 3u);
    EXPECT_GE(fail_each([&] { return load_container<F>(path_.c_str()); }, spare), 3u);
    EXPECT_GE(fail_each([&] { return filter_view<F>::open(path_.c_str()); }, spare), 3u);
    EXPECT_GE(fail_each([&] { return verify_container(path_.c_str()); }), 3u);
  }

  const temp_dir folder_;
  const std::string path_ = folder_ / "file";
};

TEST_F(AllocationFailure, OfContainers) {
  for (const std::size_t n : {std::size_t{100}, many_keys}) {
    for_each_type(filter_types{},
                  [&]<class F>(std::type_identity<F>) { containers<F>(n); });
  }
}

TEST_F(AllocationFailure, OfPackedSets) {
  const auto member = must(block_bloom::build(keys(1, 3000)));
  const auto write = [&](const char* path) -> result<void> {
    auto out = packed_writer::create(path);
    if (!out) return out.error();
    for (int i = 0; i < 600; ++i)
      if (auto ok = out->add(member); !ok) {
        // A set that lacks a member must not appear as if it were whole.
        EXPECT_FALSE(out->finish());
        return ok;
      }
    return out->finish();
  };
  EXPECT_GE(fail_each_over_a_file(write), 5u);
  EXPECT_GE(fail_each([&] { return packed_set::open(path_.c_str()); }), 3u);
}

TEST_F(AllocationFailure, OfBuildsOnDisk) {
  const temp_dir folder;
  const auto ks = keys(1, 150'000);
  const auto build = [&]() -> result<built_filter> {
    auto b = filter_builder::make({.memory_limit = 1 << 20, .directory = folder.path()});
    if (!b) return b.error();
    if (auto ok = b->add(ks); !ok) return ok.error();
    return b->finish(block_bloom::kind.number, {}, block_bloom::kind.hasher());
  };
  EXPECT_GE(fail_each(build), 6u);
  EXPECT_EQ(folder.files(), 0u);
}

TEST_F(AllocationFailure, OfEveryDialect) {
  for (const auto& s : dialect_samples(10)) {
    SCOPED_TRACE(s.name);
    EXPECT_EQ(
        fail_each([&] { return foreign_filter::decode(s.dialect, s.image, s.read); }),
        1u);
    const auto f = must(foreign_filter::decode(s.dialect, s.image, s.read));
    EXPECT_EQ(fail_each([&] { return f.encode(); }), 1u);
    // What was read is written as it stands: nothing is copied for it.
    EXPECT_EQ(fail_each([&] { return encode_wrapped(f); }), 2u);
    EXPECT_EQ(fail_each_over_a_file([&](const char* path) { return f.save(path); }), 0u);
    EXPECT_GE(
        fail_each([&] { return foreign_filter::load(s.dialect, path_.c_str(), s.read); }),
        1u);
    EXPECT_GE(
        fail_each_over_a_file([&](const char* path) { return save_wrapped(f, path); }),
        1u);
    EXPECT_GE(fail_each([&] { return load_wrapped(path_.c_str()); }), 3u);
    const auto bytes = must(encode_wrapped(f));
    EXPECT_GE(fail_each([&] { return decode_wrapped(bytes.bytes()); }), 3u);
  }
}

TEST_F(AllocationFailure, OfMakingAndOfInserting) {
  std::size_t made = 0;
  for (const auto& s : dialect_samples(10)) {
    SCOPED_TRACE(s.name);
    foreign_params p;
    static_cast<foreign_options&>(p) = s.read;
    p.bits.reset();
    p.hashes.reset();
    p.keys = 4;
    const auto make = [&] { return foreign_filter::make(s.dialect, p); };
    if (!make()) continue;
    EXPECT_GE(fail_each(make), 1u);
    ++made;
    // A key whose insertion failed may be inserted again, and none is lost.
    auto f = must(make());
    const auto ks = numbered("k", s.read.variant == "nonscaling" ? 4 : 100);
    for (const auto& k : ks) fail_each([&] { return f.insert(k); });
    for (const auto& k : ks) EXPECT_TRUE(f.may_contain(k)) << k;
  }
  EXPECT_GT(made, 20u);
}

TEST_F(AllocationFailure, OfEnduringDamage) {
  for (const auto& s : dialect_samples(10'000)) {
    SCOPED_TRACE(s.name);
    auto bytes = bytes_of(
        must(encode_wrapped(must(foreign_filter::decode(s.dialect, s.image, s.read)))));
    const auto facts = must(inspect(bytes, bytes.size()));
    bytes[static_cast<std::size_t>(facts.payload_at) + 2 * 4096 - 1] ^= std::byte{1};
    if (!decode_wrapped(bytes)) continue;  // not to be endured
    EXPECT_GE(fail_each([&] { return decode_wrapped(bytes); }), 3u);
  }
}

}  // namespace
}  // namespace bloomery::testing
