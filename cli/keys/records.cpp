#include "keys/records.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "keys/terminators.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

// Large enough to make a system call cheap, small enough to leave the L2 cache to the
// filter.
constexpr std::size_t block_size = 128u << 10;

}  // namespace

// --- record_batch ---

// Empties the batch and puts the start of a record at the front of its block, with at
// least as much room behind it: copying costs no more than twice the record's length.
void record_batch::take_block(std::string_view unfinished) {
  texts_.clear();
  whole_ = {};
  block_.resize(std::max({block_.size(), block_size, 2 * unfinished.size()}));
  std::ranges::copy(unfinished, block_.begin());
}

// Hands out the records that end before `end`; nothing ends before `scan_from`.  What
// follows the last of them is returned.
std::string_view record_batch::split(std::size_t scan_from, std::size_t end) {
  const char* const data = block_.data();
  std::size_t begin = 0;
  for_each_terminator(data, scan_from, end, format_.terminator(), [&](std::size_t at) {
    texts_.emplace_back(data + begin, at - begin);
    begin = at + 1;
  });
  whole_ = {data, begin};
  return {data + begin, end - begin};
}

void record_batch::spell() {
  std::size_t bytes = 0;
  for (const std::string_view text : texts_) bytes += room_for(format_, text);
  decoded_.clear();
  decoded_.reserve(bytes);  // so that the views below stay valid
  keys_.clear();
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    const std::size_t from = decoded_.size();
    append_key(
        format_, texts_[i], [&] { return place(i); }, decoded_);
    keys_.emplace_back(decoded_.data() + from, decoded_.size() - from);
  }
}

std::string record_batch::place(std::size_t i) const {
  return fmt::format("{}, {} {}", file_, format_.nul ? "record" : "line",
                     before_ + i + 1);
}

// --- record_reader ---

record_reader::record_reader(std::vector<std::string> files, record_format format,
                             progress& shown)
    : files_(std::move(files)), format_(format), progress_(shown) {
  if (files_.empty()) files_.emplace_back("-");
  progress_.expect_files(files_);
}

record_reader::~record_reader() { close_file(); }

bool record_reader::open_next_file() {
  if (next_file_ == files_.size()) return false;
  const std::string& file = files_[next_file_++];
  name_ = file == "-" ? "standard input" : file;
  fd_ = file == "-" ? STDIN_FILENO : ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd_ < 0)
    throw failure(fmt::format("{}: cannot open: {}", name_, std::strerror(errno)));
  records_ = 0;
  return true;
}

void record_reader::close_file() {
  if (fd_ > STDIN_FILENO) ::close(fd_);
  fd_ = -1;
}

std::size_t record_reader::read_into(std::span<char> room) {
  for (;;) {
    const ssize_t n = ::read(fd_, room.data(), room.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      throw failure(fmt::format("{}: cannot read: {}", name_, std::strerror(errno)));
    progress_.advance(static_cast<std::uint64_t>(n));
    return static_cast<std::size_t>(n);
  }
}

bool record_reader::next(record_batch& batch) {
  batch.format_ = format_;
  do {
    if (fd_ < 0 && !open_next_file()) return false;
    batch.take_block(unfinished_);
    const std::size_t start = unfinished_.size();
    const std::size_t got = read_into(std::span(batch.block_).subspan(start));
    if (got != 0) {
      unfinished_ = batch.split(start, start + got);
    } else {
      if (start != 0) batch.texts_.emplace_back(batch.block_.data(), start);
      unfinished_.clear();
      close_file();
    }
  } while (batch.texts_.empty());
  batch.file_ = name_;
  batch.before_ = records_;
  records_ += batch.texts_.size();
  if (!format_.is_plain()) batch.spell();
  return true;
}

}  // namespace bloomery::cli
