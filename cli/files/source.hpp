// What a file is, found out before it is opened, and the ways to open it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <bloomery/container.hpp>

#include "files/dialects.hpp"
#include "files/read_request.hpp"
#include "keys/key_type.hpp"
#include "text/messages.hpp"

namespace bloomery::cli {

struct source {
  const std::string& path;
  const read_request& asked;
  const dialect* how;
  std::optional<container_facts> container;
  std::optional<hasher::secret> secret;

  // Whoever does not know the secret can check it, but not ask it.
  bool lacks_secret() const { return container && container->is_keyed() && !secret; }
  context reading_context() const {
    return container ? context::reading_container : context::reading_bare;
  }
  read_options reading() const { return {.secret = secret ? &*secret : nullptr}; }
};

// What a file is looked at for: checking one takes no secret.
enum class need : std::uint8_t { to_ask, to_check };

// Throws failure: unknown, ambiguous, a header that is wrong, options that the format
// does not take, a secret that is missing or wrong.  REQUIRES: path and asked outlive it
source find_source(const std::string& path, const read_request& asked,
                   need purpose = need::to_ask);

// Another system's filter, bare or in a container, and how its keys are written.
struct foreign_source {
  foreign_filter filter;
  std::uint64_t damaged_chunks = 0;
  key_encoding encoding;
};
// Throws failure.  REQUIRES: it is one
foreign_source load_foreign(const source& from);

// How keys are written for filters of our own.
key_encoding encoding_of_ours(const read_request& asked);

}  // namespace bloomery::cli
