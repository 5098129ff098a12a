#include "keys/secret.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "keys/record_format.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {

hasher::secret read_secret(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  char text[64];
  in.read(text, sizeof text);
  if (!in.is_open() || in.bad())
    throw failure(
        fmt::format("{}: cannot read the secret: {}", path, std::strerror(errno)));
  std::string bytes(text, static_cast<std::size_t>(in.gcount()));
  hasher::secret secret;
  if (bytes.size() != secret.size()) {
    std::string_view digits = bytes;
    if (digits.ends_with('\n')) digits.remove_suffix(1);
    std::string decoded;
    if (digits.size() != 2 * secret.size() || !append_hex(digits, decoded))
      throw failure(fmt::format(
          "{}: a secret is 16 bytes, or 32 hex digits: make one with head -c 16 "
          "/dev/urandom",
          path));
    bytes = decoded;
  }
  std::memcpy(secret.data(), bytes.data(), secret.size());
  return secret;
}

}  // namespace bloomery::cli
