#include "keys/records.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "keys/terminators.hpp"
#include "text/notices.hpp"
#include "text/shell_quote.hpp"

namespace bloomery::cli {
namespace {

// Large enough to make a system call cheap, small enough to leave the L2 cache to the
// filter.
constexpr std::size_t block_size = 128u << 10;

}  // namespace

// --- record_batch ---

// Empties the batch and puts the start of a record at the front of its block.
void record_batch::take_block(std::string_view unfinished) {
  texts_.clear();
  whole_ = {};
  block_.resize(std::max({block_.size(), block_size, unfinished.size()}));
  std::ranges::copy(unfinished, block_.begin());
}

// Where to read to, after `end` bytes of a record that has not ended.  The block doubles
// when it is full: copying costs no more than twice the record's length, in however small
// pieces it comes.  REQUIRES: no records in the batch, which would lose their memory
std::span<char> record_batch::room_after(std::size_t end) {
  constexpr std::size_t min_room = 4096;
  if (block_.size() < end + min_room) block_.resize(2 * block_.size());
  return std::span(block_).subspan(end, std::min(block_.size() - end, block_size));
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
    throw failure(fmt::format("{}: cannot open: {}", name_.empty() ? "''" : name_,
                              std::strerror(errno)));
  records_ = 0;
  text_ = text_check(file == "-" ? "" : shell_quoted(file), format_.nul);
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

// Until a record ends, or the file.
void record_reader::read_records(record_batch& batch) {
  batch.take_block(unfinished_);
  std::size_t end = unfinished_.size();
  std::string_view rest;
  while (fd_ >= 0 && batch.texts_.empty()) {
    const std::size_t got = read_into(batch.room_after(end));
    if (got != 0) {
      if (!format_.as_is) text_.see({batch.block_.data() + end, got});
      rest = batch.split(end, end + got);
      end += got;
    } else {
      if (end != 0) batch.texts_.emplace_back(batch.block_.data(), end);
      rest = {};
      close_file();
    }
    if (!format_.as_is) check_text(batch, end);
  }
  unfinished_ = rest;
}

// When records are to be handed out, or one gets long: nobody waits for more, and the
// advice is by whole lines.
void record_reader::check_text(const record_batch& batch, std::size_t bytes) const {
  constexpr std::size_t enough = 4096;
  const bool has_ended = fd_ < 0;
  if (!has_ended && batch.texts_.empty() && bytes < enough) return;
  std::string why = text_.why_not();
  if (why.empty() && has_ended) why = text_.why_not_whole();
  // The first line counts, however long it is.
  const bool is_first = records_ == 0 && !batch.texts_.empty() && !format_.nul;
  if (why.empty() && is_first && batch.texts_[0].ends_with('\r'))
    why = text_.why_not_line(1);
  if (!why.empty())
    throw failure(
        fmt::format("{}: {}; or --as-is, if the keys are these bytes", name_, why));
}

void record_reader::check_not_empty() const {
  if (records_ != 0 || format_.allow_empty) return;
  throw failure(fmt::format(
      "{}: no keys: has the program failed that writes them? --allow-empty accepts an "
      "empty input",
      name_));
}

bool record_reader::next(record_batch& batch) {
  batch.format_ = format_;
  do {
    if (fd_ < 0 && !open_next_file()) return false;
    read_records(batch);
    if (batch.texts_.empty()) check_not_empty();
  } while (batch.texts_.empty());
  batch.file_ = name_;
  batch.before_ = records_;
  records_ += batch.texts_.size();
  if (!format_.is_plain()) batch.spell();
  return true;
}

}  // namespace bloomery::cli
