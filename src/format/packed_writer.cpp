#include <bloomery/packed_set.hpp>

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>

#include "base/bits.hpp"
#include "base/byte_writer.hpp"
#include "base/crc32c.hpp"
#include "format/container/builder_notes.hpp"
#include "format/container/header.hpp"
#include "format/container/notes.hpp"
#include "format/kind/row.hpp"
#include "format/replacement_file.hpp"
#include "format/static_member.hpp"

namespace bloomery::inline v1 {
namespace {

constexpr std::size_t chunk = format::container_chunk;
constexpr std::size_t buffer_bytes = std::size_t{1} << 20;
using format::zeros;

// Integers that pile up; twice the room when it is full.
class pile {
 public:
  std::span<const std::byte> bytes() const noexcept {
    return store_.bytes().first(used_);
  }

  template <class T>
  result<void> add(T value) noexcept {
    if (used_ + sizeof value > store_.size())
      if (auto ok = grow(); !ok) return ok;
    base::byte_writer(store_.bytes().subspan(used_)).write(value);
    used_ += sizeof value;
    return {};
  }
  // REQUIRES: at most 64 bytes
  result<void> add_bytes(std::span<const std::byte> bytes) noexcept {
    if (used_ + bytes.size() > store_.size())
      if (auto ok = grow(); !ok) return ok;
    std::memcpy(store_.data() + used_, bytes.data(), bytes.size());
    used_ += bytes.size();
    return {};
  }

 private:
  result<void> grow() noexcept {
    auto larger = pages::make(std::max<std::size_t>(4096, 2 * store_.size()));
    if (!larger) return larger.error();
    if (used_ != 0) std::memcpy(larger->data(), store_.data(), used_);
    store_ = *std::move(larger);
    return {};
  }

  pages store_;
  std::size_t used_ = 0;
};

}  // namespace

struct packed_writer::state {
  format::replacement_file file;
  error_path path;
  pages buffer;
  std::size_t filled = 0;
  pile directory;  // u64 each: where blocks begin; or entries of static members
  pile checksums;  // u32 each
  std::uint64_t members = 0, ones = 0;
  std::uint64_t end = 0;  // of the members so far: blocks, or bytes
  block_profile profile = block_profile::by_rate;
  container_kind kind{};                 // of the members
  std::optional<bloomery::hasher> hash;  // none before the first
  // Why nothing more can be added: a member that was written in part, or `finish`.
  std::optional<error> ended;

  // Whole chunks, or the last bytes of all.
  result<void> flush() noexcept {
    const auto some = buffer.bytes().first(filled);
    for (std::size_t at = 0; at < some.size(); at += chunk)
      if (auto ok = checksums.add(
              base::crc32c(some.subspan(at, std::min(chunk, some.size() - at))));
          !ok)
        return ok;
    ones += base::count_ones(some, 8 * std::uint64_t{some.size()});
    filled = 0;
    return file.write(some);
  }

  result<void> write(std::span<const std::byte> bytes) noexcept {
    while (!bytes.empty()) {
      const std::size_t now = std::min(bytes.size(), buffer.size() - filled);
      std::memcpy(buffer.data() + filled, bytes.data(), now);
      filled += now;
      bytes = bytes.subspan(now);
      if (filled == buffer.size())
        if (auto ok = flush(); !ok) return ok;
    }
    return {};
  }

  // The first one decides what the others must be.
  result<void> check(container_kind member, block_profile p, const hasher& h) noexcept {
    if (!hash) {
      kind = member;
      profile = p;
      hash = h;
    }
    if (kind != member || profile != p)
      return error{errc::incompatible, "a member of another kind or profile", 0,
                   static_cast<double>(members)};
    if (!(*hash == h))
      return error{errc::incompatible,
                   "a member with another hash, seed, secret or source of keys", 0,
                   static_cast<double>(members)};
    return {};
  }

  result<void> append(const block_storage& member) noexcept {
    if (members == 0)
      if (auto ok = directory.add(std::uint64_t{0}); !ok) return ok;
    if (auto ok = write(member.bytes()); !ok) return ok;
    end += member.shape().blocks;
    ++members;
    return directory.add(end);
  }

  result<void> append(const format::kind_calls& row, const void* member) noexcept {
    const auto gap = std::span(zeros).first(
        static_cast<std::size_t>(format::static_member::begin_after(end) - end));
    if (auto ok = write(gap); !ok) return ok;
    const auto bytes = row.payload(member);
    if (auto ok = write(bytes); !ok) return ok;
    end += gap.size() + bytes.size();
    ++members;
    return directory.add_bytes(
        format::static_member::encode({end, row.describe(member)}));
  }

  // After a member that was written in part nothing can be added.
  result<void> settle(result<void> done) noexcept {
    if (!done) ended = named(done.error());
    return ended ? result<void>(*ended) : result<void>();
  }

  bool is_static() const noexcept {
    return format::find_calls(kind)->check_member == nullptr;
  }

  result<void> finish(const write_notes& notes) noexcept;

  error named(error e) const noexcept {
    e.path = path;
    return e;
  }
};

result<packed_writer> packed_writer::create(path_ref path) noexcept {
  auto* s = new (std::nothrow) state;
  if (s == nullptr) return error{errc::out_of_memory, "not enough memory"};
  packed_writer w(s);
  s->path = error_path(path.c_str());
  if (auto ok = s->file.open(path.c_str()); !ok) return s->named(ok.error());
  auto buffer = pages::make(buffer_bytes);
  if (!buffer) return buffer.error();
  s->buffer = *std::move(buffer);
  // Header and gap are written again when they are known.
  if (auto ok = s->file.write(zeros); !ok) return s->named(ok.error());
  return w;
}

packed_writer::packed_writer(packed_writer&& other) noexcept
    : state_(std::exchange(other.state_, nullptr)) {}
packed_writer& packed_writer::operator=(packed_writer&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}
packed_writer::~packed_writer() { delete state_; }

std::uint64_t packed_writer::size() const noexcept { return state_->members; }

result<void> packed_writer::add_member(const block_storage& member,
                                       container_kind kind) noexcept {
  state& s = *state_;
  if (s.ended) return *s.ended;
  if (member.shape().profile == block_profile::lanes16)
    return error{errc::unsupported, "a packed set has no members of the profile lanes16"};
  if (auto ok = s.check(kind, member.shape().profile, member.hasher()); !ok) return ok;
  return s.settle(s.append(member));
}

result<void> packed_writer::add_static(const void* member, container_kind kind) noexcept {
  state& s = *state_;
  if (s.ended) return *s.ended;
  const format::kind_calls& row = *format::find_calls(kind);
  if (row.is_damaged(member))
    return error{errc::corrupt, "bytes of the member are damaged"};
  if (auto ok = s.check(kind, block_profile::by_rate, row.hasher_of(member)); !ok)
    return ok;
  return s.settle(s.append(row, member));
}

result<void> packed_writer::finish(const write_notes& notes) noexcept {
  state& s = *state_;
  if (s.ended) return *s.ended;
  if (s.members == 0)
    return error{errc::invalid_argument, "a set needs at least one member"};
  if (auto ok = format::check_builder_notes(notes, nullptr); !ok) return ok;
  if (!notes.sentinels.empty())
    return error{errc::invalid_argument, "a packed set carries no sentinels"};
  const auto done = s.finish(notes);
  s.ended =
      s.named(done ? error{errc::invalid_argument, "the set is finished"} : done.error());
  if (done) return {};
  return *s.ended;
}

result<void> packed_writer::state::finish(const write_notes& notes) noexcept {
  container_facts f;
  const block_shape one{1, profile};
  f.kind = is_static() ? container_kind::packed_static : container_kind::packed;
  f.member = kind;
  f.profile = profile;
  f.hashes = is_static() ? 0 : one.hashes();
  f.units = members;
  f.hash = hash->id();
  f.seed = hash->seed();
  f.hash_check = hash->check();
  f.asked_fpr = notes.asked_fpr;
  f.keys = notes.keys;
  const format::source_note source(hash->source());
  f.notes_bytes = static_cast<std::uint32_t>(source.length);
  // Entries begin at a multiple of 8.
  const std::uint64_t members_end =
      is_static() ? format::static_member::begin_after(end) : end * one.block_bytes();
  f.payload_bytes = members_end + directory.bytes().size();
  f.payload_at = format::payload_place(f);
  if (is_static())
    if (auto ok =
            write(std::span(zeros).first(static_cast<std::size_t>(members_end - end)));
        !ok)
      return ok;
  if (auto ok = write(directory.bytes()); !ok) return ok;
  const auto padding = std::span(zeros).first(
      static_cast<std::size_t>(f.padded_bytes() - f.payload_bytes));
  if (auto ok = write(padding); !ok) return ok;
  if (auto ok = flush(); !ok) return ok;
  f.ones = ones;
  const auto gap =
      std::span(zeros).first(format::page_payload_at - container_header_size);
  pile last;
  const std::uint32_t tail =
      base::crc32c(source.bytes(), base::crc32c(checksums.bytes(), base::crc32c(gap)));
  if (auto ok = last.add(tail); !ok) return ok;
  if (auto ok = file.write(checksums.bytes()); !ok) return ok;
  if (auto ok = file.write(source.bytes()); !ok) return ok;
  if (auto ok = file.write(last.bytes()); !ok) return ok;
  if (auto ok = file.write_at(0, format::encode_header(f)); !ok) return ok;
  return file.commit();
}

}  // namespace bloomery::inline v1
