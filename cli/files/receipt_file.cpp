#include "files/receipt_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <span>
#include <utility>

#include "keys/read_ahead.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

constexpr std::size_t digits = 2 * receipt::size_in_bytes;

[[noreturn]] void fail(const std::string& path, std::string_view what) {
  throw failure(fmt::format("{}: {}: {}", path, what, std::strerror(errno)));
}

std::string in_hex(const receipt& r) {
  constexpr char digit[] = "0123456789abcdef";
  std::string text;
  for (const std::byte b : r.bytes()) {
    text += digit[std::to_integer<unsigned>(b) >> 4];
    text += digit[std::to_integer<unsigned>(b) & 15];
  }
  return text;
}

// Of a line without its terminator.
receipt receipt_of(std::string_view line, const std::function<std::string()>& place) {
  std::string bytes;
  const bool is_one = line.size() >= digits &&
                      (line.size() == digits || line[digits] == '\t') &&
                      append_hex(line.substr(0, digits), bytes);
  if (!is_one)
    throw failure(fmt::format(
        "{}: not a receipt: 32 hex digits, and nothing or a TAB and more after them; the "
        "filter is unchanged",
        place()));
  return receipt::from_bytes(
      std::as_bytes(std::span<const char, receipt::size_in_bytes>(bytes)));
}

}  // namespace

receipt_writer::receipt_writer(const std::string& path, char terminator)
    : path_(path), terminator_(terminator) {
  if (path == "-")
    throw failure("--receipts -: receipts are appended to a file: name it");
  created_ = ::access(path.c_str(), F_OK) != 0;
  fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd_ < 0) fail(path, "cannot open it to append receipts");
  int locked;
  while ((locked = ::flock(fd_, LOCK_EX)) != 0 && errno == EINTR) continue;
  struct stat now;
  if (locked != 0 || ::fstat(fd_, &now) != 0) {
    const int why = errno;
    ::close(fd_);
    errno = why;
    fail(path, "cannot lock it against other writers");
  }
  old_size_ = static_cast<std::uint64_t>(now.st_size);
  char last = terminator;
  if (old_size_ != 0) (void)!::pread(fd_, &last, 1, now.st_size - 1);
  if (last != terminator) {
    ::close(fd_);
    throw failure(
        fmt::format("{}: its last line is incomplete, so that receipts cannot be "
                    "appended: complete or "
                    "remove that line",
                    path));
  }
}

receipt_writer::~receipt_writer() {
  if (created_ && old_size_ == 0) ::unlink(path_.c_str());
  ::close(fd_);
}

void receipt_writer::add(const receipt& r, std::string_view row) {
  text_ += in_hex(r);
  text_ += '\t';
  text_ += row;
  text_ += terminator_;
}

void receipt_writer::reserve() {
  // A file system without the call finds out when the receipts are written.
  if (!text_.empty() &&
      ::fallocate(fd_, FALLOC_FL_KEEP_SIZE, static_cast<off_t>(old_size_),
                  static_cast<off_t>(text_.size())) != 0 &&
      errno != EOPNOTSUPP && errno != ENOSYS && errno != ENODEV && errno != ESPIPE)
    fail(path_, "no room for the receipts");
}

void receipt_writer::write() {
  std::string_view rest = text_;
  while (!rest.empty()) {
    const ssize_t n = ::write(fd_, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      throw failure(fmt::format(
          "{}: {}: the keys are in the filter now, and {} of their receipts are missing",
          path_, std::strerror(errno), rest.size() == text_.size() ? "all" : "some"));
    rest.remove_prefix(static_cast<std::size_t>(n));
    created_ = false;
  }
  if (::fsync(fd_) != 0 && errno != EINVAL) fail(path_, "cannot write the receipts");
}

void for_each_receipt(
    const std::string& path, const record_format& format, bool quiet,
    const std::function<void(receipt, const std::function<std::string()>&)>& take) {
  record_format lines;  // what is behind the TAB may be any bytes
  lines.nul = format.nul;
  lines.as_is = true;
  lines.allow_empty = format.allow_empty;
  read_ahead in({path}, lines, "erasing", quiet);
  while (const record_batch* batch = in.next())
    for (std::size_t i = 0; i < batch->texts().size(); ++i) {
      const auto place = [&] { return batch->place(i); };
      take(receipt_of(batch->texts()[i], place), place);
    }
}

}  // namespace bloomery::cli
