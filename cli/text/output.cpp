#include "text/output.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "text/notices.hpp"

namespace bloomery::cli {

void output::write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(STDOUT_FILENO, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      throw failure(
          fmt::format("standard output: cannot write: {}", std::strerror(errno)));
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

}  // namespace bloomery::cli
