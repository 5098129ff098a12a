#include "files/receipt_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <span>
#include <utility>

#include "files/updated_file.hpp"
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

// The receipt in a line without its terminator.
receipt receipt_of(std::string_view line, const std::function<std::string()>& place) {
  std::string bytes;
  const bool is_one = line.size() >= digits &&
                      (line.size() == digits || line[digits] == '\t') &&
                      append_hex(line.substr(0, digits), bytes);
  if (!is_one)
    throw failure(fmt::format(
        "{}: not a receipt: 48 hex digits, and nothing or a TAB and more after them; the "
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
  // The run that held the lock may have removed the file.
  while (!open_locked()) ::close(fd_);
  try {
    check_old();
  } catch (...) {
    ::close(fd_);
    throw;
  }
}

bool receipt_writer::open_locked() {
  fd_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd_ < 0) fail(path_, "cannot open it to append receipts");
  int locked;
  while ((locked = ::flock(fd_, LOCK_EX)) != 0 && errno == EINTR) continue;
  struct stat now;
  if (locked != 0 || ::fstat(fd_, &now) != 0) {
    const int why = errno;
    ::close(fd_);
    errno = why;
    fail(path_, "cannot lock it against other writers");
  }
  if (!S_ISREG(now.st_mode)) {
    ::close(fd_);
    throw failure(fmt::format(
        "{}: receipts are appended to a file, which a pipe or a device is not", path_));
  }
  old_size_ = static_cast<std::uint64_t>(now.st_size);
  return is_at(path_, fd_);
}

// What is appended to must be receipts: a list of keys, named by mistake, is not spoilt.
void receipt_writer::check_old() const {
  if (old_size_ == 0) return;
  char first[digits + 1], last = 0;
  const ssize_t got = ::pread(fd_, first, sizeof first, 0);
  (void)!::pread(fd_, &last, 1, static_cast<off_t>(old_size_ - 1));
  if (last != terminator_)
    throw failure(
        fmt::format("{}: its last line is incomplete, so that receipts cannot be "
                    "appended: complete or "
                    "remove that line",
                    path_));
  std::string bytes;
  const bool is_one = got == sizeof first && append_hex({first, digits}, bytes) &&
                      (first[digits] == '\t' || first[digits] == terminator_);
  if (!is_one)
    throw failure(
        fmt::format("{}: not a file of receipts, so that none are appended: name another "
                    "with --receipts",
                    path_));
}

std::optional<receipt> receipt_writer::last() const {
  std::string end(static_cast<std::size_t>(std::min<std::uint64_t>(old_size_, 1 << 16)),
                  '\0');
  const ssize_t got =
      ::pread(fd_, end.data(), end.size(), static_cast<off_t>(old_size_ - end.size()));
  if (end.empty() || got != static_cast<ssize_t>(end.size())) return std::nullopt;
  end.pop_back();  // its terminator
  const auto before = end.rfind(terminator_);
  if (before == std::string::npos && end.size() + 1 != old_size_) return std::nullopt;
  const std::string_view line =
      std::string_view(end).substr(before == std::string::npos ? 0 : before + 1);
  std::string bytes;
  if (line.size() < digits || !append_hex(line.substr(0, digits), bytes))
    return std::nullopt;
  return receipt::from_bytes(
      std::as_bytes(std::span<const char, receipt::size_in_bytes>(bytes)));
}

void receipt_writer::check_new() const {
  if (old_size_ == 0) return;
  throw failure(
      fmt::format("{}: has receipts of an earlier filter, and the receipts of two in one "
                  "file are refused: name another file with --receipts, or remove this "
                  "one",
                  path_));
}

receipt_writer::~receipt_writer() {
  if (created_ && old_size_ == 0) ::unlink(path_.c_str());
  ::close(fd_);
}

void receipt_writer::add(const receipt& r, std::string_view row) {
  text_ += in_hex(r);
  text_ += '\t';
  const std::size_t at = text_.size();
  text_ += row;
  // A row of CSV may have lines, and a receipt is one.
  std::replace(text_.begin() + static_cast<std::ptrdiff_t>(at), text_.end(), terminator_,
               ' ');
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
