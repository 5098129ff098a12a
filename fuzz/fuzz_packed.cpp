// Any bytes as a file that is mapped: a packed set, or a view of one filter.  An odd
// first byte has all checksums made right.  Refused, or lookups that answer the same
// before and after everything was checked.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>

#include <bloomery/block_bloom.hpp>
#include <bloomery/bloom.hpp>
#include <bloomery/filter_view.hpp>
#include <bloomery/packed_set.hpp>
#include <bloomery/portable_bloom.hpp>
#include <bloomery/split_block_bloom.hpp>

#include "ask.hpp"
#include "check.hpp"
#include "container_repair.hpp"
#include "target.hpp"
#include "test_key.hpp"

namespace {

using namespace bloomery;

const char* file_of(std::span<const std::byte> bytes) {
  static const int fd = memfd_create("fuzz", MFD_CLOEXEC);
  static char path[64];
  std::snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  fuzz::check(::ftruncate(fd, static_cast<off_t>(bytes.size())) == 0 &&
                  ::pwrite(fd, bytes.data(), bytes.size(), 0) ==
                      static_cast<ssize_t>(bytes.size()),
              "no file to fuzz with");
  return path;
}

void check_set(const char* path, std::size_t size) {
  const auto set = packed_set::open(path);
  if (!set) {
    fuzz::check(set.error().at <= size && set.error().code != errc::io,
                "a strange refusal");
    return;
  }
  const auto ks = testing::keys(1, 8);
  const std::uint64_t n = std::min<std::uint64_t>(set->size(), 64);
  std::vector<std::uint64_t> lazily(ks.size()), checked(ks.size());
  for (std::size_t i = 0; i < ks.size(); ++i)
    set->may_contain(0, n, ks[i], std::span(&lazily[i], 1));
  set->verify_all();
  for (std::size_t i = 0; i < ks.size(); ++i)
    set->may_contain(0, n, ks[i], std::span(&checked[i], 1));
  fuzz::check(lazily == checked, "a set answers otherwise once it is checked");
  (void)set->may_contain(set->size() - 1, ks[0]);
  (void)set->member_bytes(set->size() - 1);
}

template <class F>
void check_view(const char* path, std::span<const std::byte> bytes) {
  const auto view = filter_view<F>::open(path);
  const auto copy = decode_container<F>(bytes);
  fuzz::check(!copy || view, "a file that can be loaded cannot be mapped");
  if (!view) return;
  const auto ks = testing::keys(2, copy && copy->hashes() > 64 ? 2 : 70);
  const auto lazily = testing::ask(*view, ks);
  view->verify_all();
  fuzz::check(lazily == testing::ask(*view, ks),
              "a view answers otherwise once it is checked");
  // Padding that is not zero is no damage to a view, but a reason not to load.
  if (copy) fuzz::check(lazily == testing::ask(*copy, ks), "a view is no copy");
}

}  // namespace

BLOOMERY_FUZZ_TARGET(fuzz_packed) {
  if (size == 0) return 0;
  const auto rest = std::as_bytes(std::span(data, size)).subspan(1);
  std::vector<std::byte> bytes(rest.begin(), rest.end());
  if (data[0] % 2 != 0) testing::repair_container(bytes);
  const auto facts = inspect(bytes, bytes.size());
  const char* const path = file_of(bytes);
  fuzz::check(inspect(path).has_value() == facts.has_value(),
              "a file is judged otherwise than its bytes");
  if (!facts) return 0;
  check_set(path, bytes.size());
  check_view<portable_bloom>(path, bytes);
  check_view<block_bloom>(path, bytes);
  check_view<split_block_bloom>(path, bytes);
  check_view<bloom>(path, bytes);
  (void)verify_container(path);
  return 0;
}
