#include <bloomery/detail/format/chunk_guard.hpp>

#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <memory>

#include "base/byte_reader.hpp"
#include "base/crc32c.hpp"
#include "base/parallel_for.hpp"
#include "format/file_stamp.hpp"

namespace bloomery::inline v1 {
namespace {

constexpr std::uint64_t chunk_bytes = std::uint64_t{1} << chunk_guard::chunk_log;

constexpr std::uint64_t words_for(std::uint64_t chunks) noexcept {
  return (chunks + 63) / 64;
}

// Maps ones over [from, to), a piece at a time: each appears at once, so that no reader
// ever sees zeros in between.
void map_ones(std::byte* from, std::byte* to) noexcept {
  constexpr std::size_t piece = std::size_t{1} << 20;
  const int fd = ::memfd_create("bloomery ones", MFD_CLOEXEC);
  if (fd < 0) return;
  std::byte ones[4096];
  std::memset(ones, 0xff, sizeof ones);
  bool whole = true;
  for (std::size_t at = 0; whole && at < piece; at += sizeof ones)
    whole = ::write(fd, ones, sizeof ones) == static_cast<ssize_t>(sizeof ones);
  for (; whole && from < to; from += piece) {
    const auto size = std::min(piece, static_cast<std::size_t>(to - from));
    (void)::mmap(from, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, fd, 0);
  }
  ::close(fd);
}

}  // namespace

chunk_guard::descriptor::~descriptor() {
  if (number >= 0) ::close(number);
}

result<chunk_guard> chunk_guard::make(std::span<std::byte> payload, std::uint64_t length,
                                      std::span<const std::byte> checksums,
                                      const mapped_file& from,
                                      damage_rule rule) noexcept {
  descriptor file(from.fd);
  const std::uint64_t chunks = (payload.size() + chunk_bytes - 1) >> chunk_log;
  static_assert(sizeof(counters) <= 64 && word::is_always_lock_free);
  auto memory = pages::make(static_cast<std::size_t>(64 + 24 * words_for(chunks)));
  if (!memory) return memory.error();
  std::construct_at(reinterpret_cast<counters*>(memory->data()));
  for (std::uint64_t i = 0; i < 3 * words_for(chunks); ++i)
    std::construct_at(reinterpret_cast<word*>(memory->data() + 64) + i, 0);
  chunk_guard g(*std::move(memory), std::move(file));
  g.state().unchecked.store(chunks, std::memory_order_relaxed);
  g.state().distrusted.store(chunks, std::memory_order_relaxed);
  g.rule_ = rule;
  g.payload_ = payload;
  g.length_ = length;
  g.chunks_ = chunks;
  g.checksums_ = checksums;
  g.mapping_ = from.mapping;
  g.stamp_ = from.stamp;
  g.state().status_ns.store(from.stamp.status_ns, std::memory_order_relaxed);
  g.checksums_at_ = from.checksums_at;
  return g;
}

chunk_guard::word* chunk_guard::bits(unsigned which) const noexcept {
  return reinterpret_cast<word*>(state_.data() + 64) + which * words_for(chunks_);
}

// The state has its own pages, which move with the guard and stay where they are.
damage_set chunk_guard::found_damage() const noexcept {
  if (rule_ == damage_rule::ones) return {};
  auto* const words = reinterpret_cast<std::byte*>(bits(2));
  return {pages::borrow({words, 8 * words_for(chunks_)}), state().damaged, chunk_log};
}

bool chunk_guard::matches(std::uint64_t chunk, std::uint32_t crc) const noexcept {
  return base::byte_reader(checksums_.subspan(static_cast<std::size_t>(4 * chunk), 4))
             .read<std::uint32_t>() == crc;
}

// The chunk's bytes are this thread's alone until its bit is set.
// Marks a chunk as damaged; whether it was not yet.
bool chunk_guard::mark_damaged(std::uint64_t chunk) const noexcept {
  const std::uint64_t bit = std::uint64_t{1} << (chunk % 64);
  if ((bits(2)[chunk / 64].fetch_or(bit) & bit) != 0) return false;
  reinterpret_cast<counters*>(state_.data())
      ->damaged.fetch_add(1, std::memory_order_release);
  return true;
}

void chunk_guard::settle(std::uint64_t chunk, bool good) const noexcept {
  auto& counts = *reinterpret_cast<counters*>(state_.data());
  if (!good) mark_damaged(chunk);
  if (!good && rule_ == damage_rule::ones) {
    const auto at = static_cast<std::size_t>(chunk << chunk_log);
    const auto size = std::min<std::size_t>(chunk_bytes, payload_.size() - at);
    const auto ones = std::min<std::size_t>(
        size, length_ > at ? static_cast<std::size_t>(length_ - at) : 0);
    std::memset(payload_.data() + at, 0xff, ones);
    std::memset(payload_.data() + at + ones, 0, size - ones);
  }
  bits(0)[chunk / 64].fetch_or(std::uint64_t{1} << (chunk % 64),
                               std::memory_order_release);
  counts.unchecked.fetch_sub(1, std::memory_order_acq_rel);
  // What has vanished meanwhile stays distrusted; counted twice, if both see it.
  if (rule_ == damage_rule::ones || !is_damaged(chunk))
    counts.distrusted.fetch_sub(1, std::memory_order_acq_rel);
  if (rule_ != damage_rule::ones && good && is_damaged(chunk))
    counts.distrusted.fetch_add(1, std::memory_order_acq_rel);
}

// Chunks from this byte of the mapping on are gone, also those that were checked before:
// the ones that are there now are nothing to believe, unless bits are all that a kind
// has.
void chunk_guard::distrust_from(std::uint64_t byte) const noexcept {
  if (rule_ == damage_rule::ones) return;
  const auto payload_at = static_cast<std::uint64_t>(payload_.data() - mapping_.data());
  auto& counts = *reinterpret_cast<counters*>(state_.data());
  for (std::uint64_t c = byte > payload_at ? (byte - payload_at) >> chunk_log : 0;
       c < chunks_; ++c)
    if (mark_damaged(c) && is_checked(c << chunk_log))
      counts.distrusted.fetch_add(1, std::memory_order_acq_rel);
}

void chunk_guard::check(std::uint64_t chunk) const noexcept {
  const std::uint64_t bit = std::uint64_t{1} << (chunk % 64);
  if ((bits(1)[chunk / 64].fetch_or(bit, std::memory_order_relaxed) & bit) != 0) {
    while ((bits(0)[chunk / 64].load(std::memory_order_acquire) & bit) == 0)
      sched_yield();
    return;
  }
  notice_shrinking();
  const auto at = static_cast<std::size_t>(chunk << chunk_log);
  const auto bytes =
      payload_.subspan(at, std::min<std::size_t>(chunk_bytes, payload_.size() - at));
  settle(chunk, matches(chunk, base::crc32c(bytes)));
}

// Those of the 64 chunks from `first` on, as far as they are in `mask`, that have the CRC
// of the table; neighbours go side by side.
std::uint64_t chunk_guard::matching(std::uint64_t first,
                                    std::uint64_t mask) const noexcept {
  std::uint64_t good = 0;
  while (mask != 0) {
    const auto from = static_cast<unsigned>(std::countr_zero(mask));
    const auto run = static_cast<unsigned>(std::countr_one(mask >> from));
    const auto at = static_cast<std::size_t>((first + from) << chunk_log);
    const auto bytes = payload_.subspan(
        at, std::min<std::size_t>(run * chunk_bytes, payload_.size() - at));
    std::uint32_t crc[64];
    base::crc32c_chunks(bytes, chunk_bytes, {crc, run});
    for (unsigned i = from; i < from + run; ++i)
      good |= std::uint64_t{matches(first + i, crc[i - from])} << i;
    mask &= run == 64 ? 0 : ~(((std::uint64_t{1} << run) - 1) << from);
  }
  return good;
}

// 64 chunks, as far as nobody else has claimed them.
void chunk_guard::check_group(std::uint64_t first) const noexcept {
  const std::uint64_t count = std::min<std::uint64_t>(64, chunks_ - first);
  const std::uint64_t wanted = ~std::uint64_t{0} >> (64 - count);
  const std::uint64_t mine =
      wanted & ~bits(1)[first / 64].fetch_or(wanted, std::memory_order_relaxed);
  if (mine == 0) return;
  notice_shrinking();
  const std::uint64_t good = matching(first, mine);
  for (std::uint64_t left = mine; left != 0; left &= left - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(left));
    settle(first + i, (good >> i & 1) != 0);
  }
}

void chunk_guard::check_all(unsigned threads) const noexcept {
  if (all_checked()) return;
  const std::uint64_t groups = words_for(chunks_);
  std::atomic<std::uint64_t> next{0};
  // Page faults are taken many at a time: one system call for 8 MiB.
  constexpr std::uint64_t stride = 32;
  base::parallel_for(std::max(1u, threads), [&](unsigned) noexcept {
    for (std::uint64_t g; (g = next.fetch_add(stride)) < groups;) {
#if defined(MADV_POPULATE_READ)
      const auto page =
          reinterpret_cast<std::uintptr_t>(payload_.data() + (g * 64 << chunk_log)) &
          ~std::uintptr_t{4095};
      const std::size_t left =
          payload_.size() - static_cast<std::size_t>(g * 64 << chunk_log);
      if (!mapping_.empty())
        (void)madvise(reinterpret_cast<void*>(page),
                      std::min<std::size_t>(left, stride * 64 * chunk_bytes),
                      MADV_POPULATE_READ);
#endif
      for (std::uint64_t i = g; i < std::min(g + stride, groups); ++i)
        check_group(i * 64);
    }
  });
  while (!all_checked()) sched_yield();  // others may still be at theirs
}

// The table in the file is still the one that was read from it.
bool chunk_guard::has_same_checksums() const noexcept {
  std::byte now[4096];
  for (std::size_t at = 0; at < checksums_.size();) {
    const auto want =
        checksums_.subspan(at, std::min(sizeof now, checksums_.size() - at));
    const ssize_t n =
        ::pread(file_.number, now, want.size(), static_cast<off_t>(checksums_at_ + at));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0 || std::memcmp(now, want.data(), static_cast<std::size_t>(n)) != 0)
      return false;
    at += static_cast<std::size_t>(n);
  }
  return true;
}

// The chunks that were found good still are, as lookups see them: in the mapping. Damaged
// ones are ones by now, or not believed; the others will be checked when they are needed.
bool chunk_guard::has_same_chunks() const noexcept {
  for (std::uint64_t i = 0; i < words_for(chunks_); ++i) {
    // Who has claimed a chunk may have read it before it was changed: wait for the mark.
    const std::uint64_t claimed = bits(1)[i].load(std::memory_order_acquire);
    while ((claimed & ~bits(0)[i].load(std::memory_order_acquire)) != 0) sched_yield();
    const std::uint64_t good = claimed & ~bits(2)[i].load(std::memory_order_relaxed);
    if (good == 0) continue;
    notice_shrinking();
    if (matching(64 * i, good) != good) return false;
  }
  return true;
}

// A ctime that differs alone does not say why: renamed, or written to and the mtime set
// back.  The bytes do; they are read after the status, so that what is written meanwhile
// has another ctime and is seen by the next call.
bool chunk_guard::unchanged() const noexcept {
  if (file_.number < 0) return true;
  auto& status_ns = reinterpret_cast<counters*>(state_.data())->status_ns;
  file_stamp then = stamp_;
  then.status_ns = status_ns.load(std::memory_order_acquire);
  const file_stamp now = format::stamp_of(file_.number);
  const file_change change = format::change_between(then, now);
  if (change != file_change::status) return change == file_change::none;
  const bool for_good = format::will_show_changes(now);
  if (!has_same_checksums() || !has_same_chunks()) return false;
  if (for_good) status_ns.store(now.status_ns, std::memory_order_release);
  return true;
}

void chunk_guard::notice_shrinking() const noexcept {
  struct stat now;
  if (file_.number < 0 || ::fstat(file_.number, &now) != 0) return;
  const auto size = static_cast<std::uint64_t>(now.st_size);
  if (size >= mapping_.size()) return;
  auto& counts = *reinterpret_cast<counters*>(state_.data());
  std::uint32_t nobody = 0;
  if (counts.shrunk.compare_exchange_strong(nobody, 1)) {
    // The page the file now ends in is cut too: its rest is now zeros.
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    distrust_from(size / page * page);
    map_ones(mapping_.data() + size / page * page,
             mapping_.data() + (mapping_.size() + page - 1) / page * page);
    counts.shrunk.store(2, std::memory_order_release);
  } else {
    while (counts.shrunk.load(std::memory_order_acquire) != 2) sched_yield();
  }
}

}  // namespace bloomery::inline v1
