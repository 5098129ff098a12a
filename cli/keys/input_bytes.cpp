#include "keys/input_bytes.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t packed_size = 128u << 10;

constexpr codec gzip_codec{"gzip", "zcat", make_gunzip};
constexpr codec zstd_codec{"zstd", "zstdcat", make_unzstd};
constexpr codec xz_codec{"xz", "xzcat", make_unxz};

struct codec_magic {
  std::string_view bytes;
  const codec* what;
  unsigned char first_mask = 0xff;  // bits of the first byte that count
};
constexpr codec_magic codec_magics[] = {
    {"\x1f\x8b"sv, &gzip_codec},
    {"\x28\xb5\x2f\xfd"sv, &zstd_codec},
    {"\x50\x2a\x4d\x18"sv, &zstd_codec,
     0xf0},  // a frame to be skipped; pzstd begins with one
    {"\xfd"
     "7zXZ\0"sv,
     &xz_codec},
};
constexpr std::size_t longest_magic = 6;

// Whether `head` and the magic are alike as far as both go.
bool begins_alike(const codec_magic& m, std::string_view head) {
  const auto first = static_cast<unsigned char>(head[0]) & m.first_mask;
  const std::size_t n = std::min(head.size(), m.bytes.size());
  return first == static_cast<unsigned char>(m.bytes[0]) &&
         head.substr(1, n - 1) == m.bytes.substr(1, n - 1);
}

const codec* codec_of(std::string_view head) {
  for (const codec_magic& m : codec_magics)
    if (head.size() >= m.bytes.size() && begins_alike(m, head)) return m.what;
  return nullptr;
}

// Whether more bytes might make it compressed data.
bool may_become_codec(std::string_view head) {
  return head.empty() || (head.size() < longest_magic &&
                          std::ranges::any_of(codec_magics, [&](const codec_magic& m) {
                            return head.size() < m.bytes.size() && begins_alike(m, head);
                          }));
}

}  // namespace

input_bytes::input_bytes(const std::string& file, decompress how, progress& shown)
    : name_(file == "-" ? "standard input" : file),
      fd_(file == "-" ? STDIN_FILENO : ::open(file.c_str(), O_RDONLY | O_CLOEXEC)),
      how_(how),
      progress_(shown) {
  if (fd_ < 0)
    throw failure(fmt::format("{}: cannot open: {}", name_.empty() ? "''" : name_,
                              std::strerror(errno)));
}

input_bytes::~input_bytes() {
  if (fd_ > STDIN_FILENO) ::close(fd_);
}

std::size_t input_bytes::read(std::span<char> room) {
  if (unpack_) return read_packed(room);
  if (started_ || how_ == decompress::never) return read_raw(room);
  started_ = true;
  return read_start(room);
}

std::size_t input_bytes::read_raw(std::span<char> room) {
  for (;;) {
    const ssize_t n = ::read(fd_, room.data(), room.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      throw failure(fmt::format("{}: cannot read: {}", name_, std::strerror(errno)));
    progress_.advance(static_cast<std::uint64_t>(n));
    return static_cast<std::size_t>(n);
  }
}

// Waits for no more bytes than it takes to see that they are no magic number.
std::size_t input_bytes::read_start(std::span<char> room) {
  std::size_t got = 0;
  while (may_become_codec({room.data(), got})) {
    const std::size_t n = read_raw(room.subspan(got));
    if (n == 0) break;
    got += n;
  }
  const std::string_view head(room.data(), got);
  check_not_cut(head);
  codec_ = got == 0 ? nullptr : codec_of(head);
  if (codec_ == nullptr) {
    if (how_ == decompress::always)
      throw failure(
          fmt::format("{}: {} gzip, zstd or xz data: leave -z out to read it as text",
                      name_, got == 0 ? "is empty, which is no" : "is not"));
    return got;
  }
  unpack_ = codec_->make();
  packed_.resize(std::max(packed_size, got));
  std::copy_n(room.data(), got, packed_.data());
  waiting_ = {packed_.data(), got};
  return read_packed(room);
}

// All there is may be the start of a magic number: no text has such bytes.
void input_bytes::check_not_cut(std::string_view head) const {
  const bool is_text =
      std::ranges::all_of(head, [](char c) { return c >= ' ' && c <= '~'; });
  if (is_text || !may_become_codec(head)) return;
  throw failure(fmt::format(
      "{}: damaged or truncated data: nothing but the start of a magic number of gzip, "
      "zstd or xz; or --as-is, if the keys are these bytes",
      name_));
}

decompressor::step input_bytes::unpack(std::span<char> room) {
  try {
    const auto done = unpack_->run(waiting_, room, raw_ended_);
    used_ += done.used;
    made_ += done.made;
    waiting_.remove_prefix(done.used);
    return done;
  } catch (const bad_compression& e) {
    throw failure(fmt::format(
        "{}: damaged or truncated {} data at byte {}, after {} bytes of text: "
        "{}",
        name_, codec_->name, used_ + e.used, made_, e.what()));
  }
}

// Fills the room as long as nobody must be waited for.
std::size_t input_bytes::read_packed(std::span<char> room) {
  std::size_t got = 0;
  while (got < room.size()) {
    const auto [used, made] = unpack(room.subspan(got));
    got += made;
    if (used != 0 || made != 0) continue;
    if (raw_ended_ || got != 0) break;
    // What was not used stays: a decompressor may want more before it takes any.
    std::ranges::copy(waiting_, packed_.begin());
    const std::size_t kept = waiting_.size();
    const std::size_t n = read_raw(std::span(packed_).subspan(kept));
    raw_ended_ = n == 0;
    waiting_ = {packed_.data(), kept + n};
  }
  return got;
}

}  // namespace bloomery::cli
