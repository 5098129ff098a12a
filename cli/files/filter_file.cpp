#include "files/filter_file.hpp"

#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <utility>

#include <bloomery/container.hpp>

#include "files/dump.hpp"
#include "files/standard_input.hpp"

namespace bloomery::cli {
namespace {

// Larger files are mapped, so that a few keys are answered at once.  Smaller ones are
// read, so that nobody changes them meanwhile.
constexpr std::uint64_t max_read = std::uint64_t{16} << 20;

}  // namespace

filter_file::filter_file(std::string path, bool may_map)
    : is_standard_input_(path == "-"),
      path_(is_standard_input_ ? "standard input" : std::move(path)),
      file_(is_standard_input_ ? open_standard_input() : input_file::open(path_.c_str())),
      may_map_(may_map) {}

const input_file& filter_file::file(context c) const {
  if (!file_) throw failure(describe(path_, file_.error(), c));
  return *file_;
}

void filter_file::check_unchanged() const {
  if (file_ && !file_->unchanged()) refuse_changed(path_);
}

void refuse_changed(const std::string& path) {
  throw failure(fmt::format(
      "{}: was changed while it was read, so answers may be false negatives: query "
      "again, and replace filters by mv, not in place as cp does",
      path));
}

bool filter_file::has_container_magic() const {
  std::array<std::byte, 8> head{};
  return file_ && file_->read_at(0, head) && bloomery::has_container_magic(head);
}

const pages& filter_file::image() {
  if (!image_) image_ = read_image();
  return *image_;
}

pages filter_file::take_image() {
  (void)image();
  return *std::exchange(image_, std::nullopt);
}

pages filter_file::read_image() {
  std::error_code failed;
  if (!file_ && std::filesystem::is_directory(path_, failed) && !failed)
    return read_dump(path_);
  if (!file_ && file_.error().code == errc::invalid_argument)
    throw failure(fmt::format("{}: {}", path_, file_.error().what));
  const input_file& in = file(context::reading_bare);
  const auto size = static_cast<std::size_t>(in.size());
  is_mapped_ = may_map_ && in.size() > max_read;
  auto bytes = is_mapped_ ? pages::map(in.fd(), size) : pages::make(size);
  if (!bytes) throw failure(describe(path_, bytes.error(), context::reading_bare));
  if (is_mapped_) return *std::move(bytes);
  const auto got = in.read_at(0, bytes->bytes());
  if (!got) throw failure(describe(path_, got.error()));
  if (*got != size) throw failure(fmt::format("{}: shrank while it was read", path_));
  return *std::move(bytes);
}

}  // namespace bloomery::cli
