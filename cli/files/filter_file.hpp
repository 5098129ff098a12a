// The file of a filter, opened once: format, header, checksums and lookups all come from
// one descriptor, so that a file replaced meanwhile cannot mix two filters.
#pragma once

#include <optional>
#include <string>

#include <bloomery/input_file.hpp>
#include <bloomery/pages.hpp>

#include "text/messages.hpp"

namespace bloomery::cli {

class filter_file {
 public:
  // Whatever goes wrong is reported by the first call that needs the bytes: a wrong
  // option is reported before a missing file.
  explicit filter_file(std::string path);

  const std::string& path() const { return path_; }

  // The open file.  Throws failure if it cannot be read, or is not a regular file.
  const input_file& file(context c) const;

  // Whether it begins as a container.  False if it cannot be read.
  bool has_container_magic() const;

  // All bytes, read at the first call.  A directory is a dump (dump.hpp).
  // Throws failure.
  const pages& image();
  // The same, for a caller that keeps them.
  pages take_image();

 private:
  pages read_image() const;

  std::string path_;
  result<input_file> file_;
  std::optional<pages> image_;
};

}  // namespace bloomery::cli
