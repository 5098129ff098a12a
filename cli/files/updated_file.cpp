#include "files/updated_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <utility>

#include "files/filter_output.hpp"
#include "files/interrupts.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

void lock(int fd, const std::string& path, std::string_view what) {
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return;
  if (errno == EWOULDBLOCK) {
    note(fmt::format("{}: another bloomery {}: waiting until it is done", path, what));
    int failed;
    while ((failed = ::flock(fd, LOCK_EX)) != 0 && errno == EINTR) continue;
    if (failed == 0) return;
  }
  throw failure(fmt::format(
      "{}: cannot lock it against other writers: {}; copy it to a file system with locks",
      path, std::strerror(errno)));
}

// Whether the path is the file that was read, and nobody has written to it since.
bool is_as_read(const std::string& path, const input_file& read) {
  struct stat now;
  if (!is_at(path, read.fd()) || ::fstat(read.fd(), &now) != 0) return false;
  const auto written = static_cast<std::uint64_t>(now.st_mtim.tv_sec) * 1'000'000'000 +
                       static_cast<std::uint64_t>(now.st_mtim.tv_nsec);
  return static_cast<std::uint64_t>(now.st_size) == read.stamp().size &&
         written == read.stamp().written_ns;
}

// What is written says what its keys are.
void check_meaning(const loaded_filter& f) {
  if (f.keys.in_both_meanings)
    throw failure(fmt::format(
        "{0}: it does not say what its keys are, and 64-bit integers have had two "
        "meanings: record it first: bloomery convert {0} --key-type u64 --keys F -o OUT",
        f.path));
}

}  // namespace

bool is_at(const std::string& path, int fd) {
  struct stat there, mine;
  return ::stat(path.c_str(), &there) == 0 && ::fstat(fd, &mine) == 0 &&
         there.st_dev == mine.st_dev && there.st_ino == mine.st_ino;
}

source locked_source(const std::string& path, const read_request& r) {
  for (;;) {
    source from = find_source(path, r, need::to_write_anew);
    const int fd = from.open_file().fd();
    lock(fd, path, "writes to it");
    if (is_at(path, fd)) return from;
  }
}

updated_file::updated_file(const std::string& path, const read_request& r,
                           std::string_view verb)
    : from_(locked_source(path, r)), loaded_(load_filter(from_, verb)) {
  check_meaning(loaded_);
  if (!loaded_.container) return;
  const auto old = read_sentinels(from_.open_file());
  if (!old) throw failure(describe(path, old.error(), context::reading_container));
  keeps_sentinels_ = old->count != 0 || loaded_.container->ones == 0;
  sentinels_.add(old->all());
}

bool updated_file::is_in_place() const {
  return is_at(from_.path(), from_.open_file().fd());
}

hasher updated_file::hash() const {
  const auto* native = std::get_if<any_filter>(&loaded_.filter);
  return native != nullptr ? native->hasher().of(loaded_.keys.source) : hasher::xxh3();
}

void updated_file::save(bool quiet) {
  const deferred_interrupts finish_first;
  const std::string& path = loaded_.path;
  const input_file& read = from_.open_file();
  const auto refuse_replaced = [&] {
    throw failure(
        fmt::format("{}: another program replaced it or wrote to it meanwhile: it is "
                    "left as that program wrote it, without the keys of this run; run "
                    "this again",
                    path));
  };
  if (!is_as_read(path, read)) refuse_replaced();
  write_notes notes;
  if (loaded_.container)
    notes = {.asked_fpr = loaded_.container->asked_fpr, .sentinels = sentinels_.all()};
  notes.replaces = &read;
  try {
    std::visit(
        [&](const auto& f) {
          if (loaded_.container)
            write_container(f, notes, path, quiet);
          else
            write_bare(f, path, &read);
        },
        loaded_.filter);
  } catch (const failure&) {
    if (!is_as_read(path, read)) refuse_replaced();
    throw;
  }
}

folder_lock::folder_lock(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  fd_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd_ < 0)
    throw failure(fmt::format("{}: cannot open the directory {}: {}", path, folder,
                              std::strerror(errno)));
  lock(fd_, folder, "creates a filter in it");
}

folder_lock::~folder_lock() { ::close(fd_); }

}  // namespace bloomery::cli
