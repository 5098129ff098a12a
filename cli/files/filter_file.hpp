// The file of a filter, opened once: format, header, checksums and lookups all come from
// one descriptor, so that a file replaced meanwhile cannot mix two filters.
#pragma once

#include <optional>
#include <string>

#include <bloomery/container.hpp>
#include <bloomery/pages.hpp>

#include "text/messages.hpp"
#include "text/notices.hpp"
#include "text/shell_quote.hpp"

namespace bloomery::cli {

class filter_file {
 public:
  // "-" is standard input: a pipe is read whole (standard_input.hpp).
  // Whatever goes wrong is reported by the first call that needs the bytes: a wrong
  // option is reported before a missing file.  Large images are mapped, unless the caller
  // wants a copy.
  explicit filter_file(std::string path, bool may_map = true);

  const std::string& path() const { return path_; }
  // The path as an argument in a command that a user would paste.
  std::string argument() const { return is_standard_input_ ? "-" : shell_quoted(path_); }

  // The open file.  Throws failure if it cannot be read, or is not a regular file.
  const input_file& file(context c) const;

  // Throws failure: somebody wrote to the file since it was opened, as far as its status
  // shows (input_file::unchanged).
  void check_unchanged() const;
  // Whether what is written to the file shows in the bytes of its image.
  bool is_mapped() const { return is_mapped_; }

  // Whether it begins as a container.  False if it cannot be read.
  bool has_container_magic() const;

  // All bytes, read at the first call.  A directory is a dump (dump.hpp).
  // Throws failure.
  const pages& image();
  // The same, for a caller that keeps them.
  pages take_image();

 private:
  pages read_image();

  bool is_standard_input_;
  std::string path_;
  result<input_file> file_;
  std::optional<pages> image_;
  bool may_map_;
  bool is_mapped_ = false;
};

// A filter was changed under a command that reads it.
[[noreturn]] void refuse_changed(const std::string& path);

// read(), or that the file was changed: the better reason for whatever it refuses.
template <class Read>
auto read_unless_changed(const filter_file& file, Read read) {
  try {
    return read();
  } catch (const failure&) {
    file.check_unchanged();
    throw;
  }
}

}  // namespace bloomery::cli
