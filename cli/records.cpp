#include "records.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "command.hpp"
#include "terminators.hpp"

namespace bloomery::cli {
namespace {

// Large enough to make a system call cheap, small enough to stay in the L2 cache.
constexpr std::size_t block_size = 128u << 10;

}  // namespace

record_reader::record_reader(std::vector<std::string> files, record_format format,
                             progress& shown)
    : files_(std::move(files)), format_(format), progress_(shown), block_(block_size) {
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
  begin_ = end_ = 0;
  return true;
}

void record_reader::close_file() {
  if (fd_ > STDIN_FILENO) ::close(fd_);
  fd_ = -1;
}

// Moves the unfinished record to the front and reads on behind it; false at the end.
bool record_reader::fill_block() {
  std::memmove(block_.data(), block_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ == block_.size()) block_.resize(2 * block_.size());
  for (;;) {
    const ssize_t n = ::read(fd_, block_.data() + end_, block_.size() - end_);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      throw failure(fmt::format("{}: cannot read: {}", name_, std::strerror(errno)));
    end_ += static_cast<std::size_t>(n);
    progress_.advance(static_cast<std::uint64_t>(n));
    return n > 0;
  }
}

// Hands out the records that end in the block; nothing ends before `scan_from`.
void record_reader::split(std::size_t scan_from) {
  const char* const data = block_.data();
  const std::size_t first = begin_;
  for_each_terminator(data, scan_from, end_, format_.terminator(), [&](std::size_t at) {
    texts_.emplace_back(data + begin_, at - begin_);
    begin_ = at + 1;
  });
  whole_ = {data + first, begin_ - first};
}

bool record_reader::next() {
  records_ += texts_.size();
  texts_.clear();
  whole_ = {};
  while (texts_.empty()) {
    if (fd_ < 0 && !open_next_file()) return false;
    const std::size_t unfinished = end_ - begin_;
    if (fill_block()) {
      split(unfinished);
      continue;
    }
    if (begin_ != end_) texts_.emplace_back(block_.data() + begin_, end_ - begin_);
    begin_ = end_;
    close_file();
  }
  if (format_.hex) decode_hex();
  return true;
}

void record_reader::decode_hex() {
  std::size_t bytes = 0;
  for (const std::string_view text : texts_) bytes += text.size() / 2;
  decoded_.clear();
  decoded_.reserve(bytes);  // so that the views below stay valid
  keys_.clear();
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    const std::size_t from = decoded_.size();
    if (!append_hex(texts_[i], decoded_))
      throw failure(fmt::format("{}: not an even number of hex digits: '{}'", place(i),
                                printable(texts_[i].substr(0, 40))));
    keys_.emplace_back(decoded_.data() + from, decoded_.size() - from);
  }
}

std::string record_reader::place(std::size_t i) const {
  return fmt::format("{}, {} {}", name_, format_.nul ? "record" : "line",
                     records_ + i + 1);
}

}  // namespace bloomery::cli
