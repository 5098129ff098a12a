// A filter file and what it holds: format, header and secret are settled before anything
// is read from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <bloomery/container.hpp>

#include "files/dialects.hpp"
#include "files/filter_file.hpp"
#include "files/read_request.hpp"
#include "keys/key_type.hpp"
#include "keys/native_keys.hpp"
#include "text/messages.hpp"

namespace bloomery::cli {

struct source {
  filter_file file;
  const read_request& asked;
  const dialect* how;
  std::optional<container_facts> container;
  std::optional<hasher::secret> secret;

  const std::string& path() const { return file.path(); }
  // Throws failure.
  const input_file& open_file() const { return file.file(reading_context()); }
  // Another system's filter, bare or in a container.
  bool is_foreign() const {
    return container ? container->kind == container_kind::foreign
                     : how->of == family::foreign;
  }
  // Without the secret it can be checked, but not queried.
  bool lacks_secret() const { return container && container->is_keyed() && !secret; }
  context reading_context() const {
    return container ? context::reading_container : context::reading_bare;
  }
  // What keys are is settled by keys_to_query.
  read_options reading() const {
    return {.secret = secret && container->is_keyed() ? &*secret : nullptr,
            .source = std::nullopt,
            .copy_up_to = max_copy};
  }

  // Larger containers are mapped, so that a few keys are answered at once.  Reading this
  // much takes about as long as starting the tool, and nobody changes it meanwhile.
  static constexpr std::uint64_t max_copy = std::uint64_t{4} << 20;
};

// What a file is opened for.  Checking takes no secret; what is written anew is never
// mapped, because nobody would notice a change of the file until it is written.
enum class need : std::uint8_t { to_query, to_check, to_write_anew };

// Throws failure: unknown, ambiguous, a header that is wrong, options that the format
// does not take, a secret that is missing or wrong.  REQUIRES: asked outlives it
source find_source(const std::string& path, const read_request& asked,
                   need purpose = need::to_query);
// The same of a file that is open, which is moved only if it is a filter: after
// `unrecognised` the caller still has it.
source find_source(filter_file& file, const read_request& asked, need purpose);

// What the keys of a native filter are.  Throws failure: not what --key-type says.
// REQUIRES: facts with the file's notes
native_keys keys_of(const source& from, const container_facts& facts);
// The same of bare portable bytes, which cannot say: numbers are bytes there.
native_keys bare_keys(const read_request& asked);

// Another system's filter, bare or in a container, and how its keys are written.
struct foreign_source {
  foreign_filter filter;
  std::uint64_t damaged_chunks = 0;
  key_encoding encoding;
};
// Throws failure.  REQUIRES: from.is_foreign()
foreign_source load_foreign(source& from);

}  // namespace bloomery::cli
