// Every number in the header of a container, alone and in pairs, is made a lie that all
// checksums confirm: refused by name and place, or a filter that answers, at no more than
// a mebibyte beyond the file.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <functional>

#include <gtest/gtest.h>

#include <bloomery/block_bloom.hpp>
#include <bloomery/bloom.hpp>
#include <bloomery/filter_view.hpp>
#include <bloomery/portable_bloom.hpp>
#include <bloomery/split_block_bloom.hpp>

#include "allocations.hpp"
#include "cases.hpp"
#include "container_repair.hpp"
#include "container_samples.hpp"
#include "filter_types.hpp"
#include "full.hpp"

namespace bloomery::testing {
namespace {

// A file in memory, for what reads files only.
class scratch_file {
 public:
  scratch_file() : fd_(memfd_create("container", MFD_CLOEXEC)) {
    std::snprintf(path_, sizeof path_, "/proc/self/fd/%d", fd_);
  }
  scratch_file(const scratch_file&) = delete;
  ~scratch_file() { ::close(fd_); }

  const char* holding(std::span<const std::byte> bytes) {
    EXPECT_EQ(::pwrite(fd_, bytes.data(), bytes.size(), 0),
              static_cast<ssize_t>(bytes.size()));
    EXPECT_EQ(::ftruncate(fd_, static_cast<off_t>(bytes.size())), 0);
    return path_;
  }

 private:
  int fd_;
  char path_[64];
};

class Reader {
 public:
  // Reads it in every way there is; `what` names the case.
  void read(std::span<const std::byte> bytes, const std::function<std::string()>& what,
            bool from_file) {
    ++cases_;
    judge([&] { return inspect(bytes, bytes.size()); }, bytes, what);
    for_each_type(filter_types{},
                  [&]<class F>(std::type_identity<F>) { as<F>(bytes, what); });
    judge([&] { return decode_wrapped(bytes); }, bytes, what,
          [&](const foreign_filter& f) {
            for (const auto& k : strings_) (void)f.may_contain(k);
          });
    if (!from_file) return;
    const char* const path = file_.holding(bytes);
    for_each_type(filter_types{},
                  [&]<class F>(std::type_identity<F>) { view<F>(path, bytes, what); });
    judge([&] { return packed_set::open(path); }, bytes, what,
          [&](const packed_set& s) {
            for (std::uint64_t i = 0; i < std::min<std::uint64_t>(s.size(), 4); ++i)
              for (const key k : keys_) (void)s.may_contain(i, k);
            (void)s.may_contain(s.size() - 1, keys_[0]);
            (void)s.member_bytes(s.size() - 1);
          });
    judge([&] { return verify_container(path); }, bytes, what);
  }

  std::size_t cases() const { return cases_; }
  std::size_t accepted() const { return accepted_; }

 private:
  template <class F>
  void as(std::span<const std::byte> bytes, const std::function<std::string()>& what) {
    judge([&] { return decode_container<F>(bytes); }, bytes, what,
          [&](const F& f) {
            for (const key k : keys_) (void)f.may_contain(k);
          });
  }
  template <class F>
  void view(const char* path, std::span<const std::byte> bytes,
            const std::function<std::string()>& what) {
    judge([&] { return filter_view<F>::open(path); }, bytes, what,
          [&](const filter_view<F>& f) {
            for (const key k : keys_) (void)f.may_contain(k);
            (void)f.verify_all();
            for (const key k : keys_) (void)f.may_contain(k);
          });
  }

  template <class Read, class Use = std::nullptr_t>
  void judge(Read read, std::span<const std::byte> bytes,
             const std::function<std::string()>& what, Use use = nullptr) {
    const allocation_watch watch;
    const auto got = read();
    if constexpr (!std::is_same_v<Use, std::nullptr_t>)
      if (got) use(*got);
    const std::uint64_t taken = watch.bytes();
    accepted_ += got.has_value();
    if (taken > bytes.size() + max_beyond_input)
      ADD_FAILURE() << what() << ": takes " << taken << " bytes";
    if (got) return;
    const error& e = got.error();
    if (e.code == errc::io || e.at > bytes.size() || e.what == nullptr || *e.what == 0)
      ADD_FAILURE() << what() << ": " << e.code << " at " << e.at << ", " << e.what;
  }

  scratch_file file_;
  const std::vector<key> keys_ = keys(99, 20);
  const std::vector<std::string> strings_ = numbered("x", 20);
  std::size_t cases_ = 0, accepted_ = 0;
};

// As changed, and as long as the change says.
void read_both(Reader& reader, std::vector<std::byte> bytes,
               const std::function<std::string()>& what, bool from_file) {
  repair_container(bytes);
  reader.read(bytes, what, from_file);
  const auto promised = promised_places(bytes, 1 << 17);
  if (!promised || promised->file_bytes() == bytes.size()) return;
  bytes.resize(static_cast<std::size_t>(promised->file_bytes()));
  repair_container(bytes);
  reader.read(bytes, what, from_file);
}

void put(std::vector<std::byte>& to, const header_field& f, std::uint64_t v) {
  for (unsigned i = 0; i < f.bytes; ++i)
    to[static_cast<std::size_t>(f.at) + i] = static_cast<std::byte>(v >> (8 * i) & 0xff);
}

std::string named(const header_field& f, std::uint64_t v) {
  return std::string(f.name) + " = " + std::to_string(v) + " ";
}

void walk_pairs(bool from_file) {
  Reader reader;
  for (const auto& s : container_samples())
    for (const header_field& a : container_fields())
      for (const std::uint64_t va : hostile_values(field_value(s.bytes, a), a.bytes)) {
        auto one = s.bytes;
        put(one, a, va);
        for (const header_field* b = &a + 1;
             b != container_fields().data() + container_fields().size(); ++b)
          for (const auto vb : hostile_values(field_value(s.bytes, *b), b->bytes)) {
            auto two = one;
            put(two, *b, vb);
            read_both(
                reader, two, [&] { return s.name + ": " + named(a, va) + named(*b, vb); },
                from_file);
          }
      }
  count_cases("files", reader.cases());
  std::printf("%zu files, read %zu times in one of the ways there are\n", reader.cases(),
              reader.accepted());
}

TEST(ContainerFields, TheSamplesThemselvesAreRead) {
  for (const auto& s : container_samples()) {
    Reader reader;
    auto repaired = s.bytes;
    repair_container(repaired);
    EXPECT_EQ(repaired, s.bytes) << s.name << ": the checksums are those of the writer";
    reader.read(
        s.bytes, [&] { return s.name; }, true);
    // inspect, one decoder (a packed set has none) and verify, one view (foreign: none).
    EXPECT_EQ(reader.accepted(),
              s.name.starts_with("packed") || s.name == "foreign" ? 3u : 4u)
        << s.name;
  }
}

TEST(ContainerFields, EachNumberIsALie) {
  Reader reader;
  for (const auto& s : container_samples())
    for (const header_field& f : container_fields())
      for (const std::uint64_t v : hostile_values(field_value(s.bytes, f), f.bytes)) {
        auto changed = s.bytes;
        put(changed, f, v);
        read_both(
            reader, changed, [&] { return s.name + ": " + named(f, v); }, true);
      }
  EXPECT_GT(reader.cases(), 1000u);
  count_cases("files", reader.cases());
  std::printf("%zu files, read %zu times in one of the ways there are\n", reader.cases(),
              reader.accepted());
}

TEST(ContainerFields, EachPairOfNumbersIsALieInMemory) { walk_pairs(false); }

TEST(ContainerFieldsFull, EachPairOfNumbersIsALieInAFile) {
  BLOOMERY_FULL_ONLY();
  walk_pairs(true);
}

}  // namespace
}  // namespace bloomery::testing
