// Verbs that read a filter out of bytes.
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine.h"

static void say_foreign(const bloomery_foreign* filter) {
  bloomery_foreign_facts facts = BLOOMERY_FOREIGN_FACTS_INIT;
  if (bloomery_foreign_info(filter, BLOOMERY_INFO_LAYOUT, &facts) != BLOOMERY_OK)
    die("no info of a filter");
  printf("dialect=%s variant=%s bits=%llu parts=%llu", facts.dialect, facts.variant,
         (unsigned long long)facts.bits, (unsigned long long)facts.parts);
}

static uint32_t form_named(const char* name) {
  if (strcmp(name, "bytes") == 0) return BLOOMERY_KEY_BYTES;
  if (strcmp(name, "text") == 0) return BLOOMERY_KEY_TEXT;
  if (strcmp(name, "integer") == 0) return BLOOMERY_KEY_INTEGER;
  die("no such form of keys: %s", name);
}

static void decode_foreign(const struct line* line, const struct bytes* from) {
  bloomery_foreign_options options = BLOOMERY_FOREIGN_OPTIONS_INIT;
  bloomery_error error = BLOOMERY_ERROR_INIT;
  bloomery_foreign* filter = NULL;
  options.variant = option_or(line, "variant", NULL);
  options.form = form_named(option_or(line, "form", "bytes"));
  if (option_or(line, "part", NULL) != NULL) {
    options.given = BLOOMERY_GIVEN_PART;
    options.part = number_of(line, "part");
  }
  if (bloomery_foreign_decode(word_at(line, 3), from->data, from->size, &options, &filter,
                              &error) != BLOOMERY_OK) {
    say_error_at(&error);
    return;
  }
  printf("ok ");
  say_foreign(filter);
  keep_foreign(word_at(line, 1), filter);
}

static void decode_wrapped(const struct line* line, const struct bytes* from,
                           const bloomery_read_options* options) {
  bloomery_error error = BLOOMERY_ERROR_INIT;
  bloomery_foreign_facts facts = BLOOMERY_FOREIGN_FACTS_INIT;
  bloomery_foreign* filter = NULL;
  if (bloomery_foreign_unwrap(from->data, from->size, options, &filter, &error) !=
      BLOOMERY_OK) {
    say_error_at(&error);
    return;
  }
  bloomery_foreign_info(filter, BLOOMERY_INFO_LAYOUT, &facts);
  printf("ok kind=foreign damaged=%llu ", (unsigned long long)facts.damaged_chunks);
  say_foreign(filter);
  keep_foreign(word_at(line, 1), filter);
}

// A packed set is mapped, so its bytes become a file.
static void decode_packed(const struct line* line, const struct bytes* from,
                          uint32_t kind, const bloomery_read_options* options) {
  const char* folder = getenv("TMPDIR");
  char path[4096];
  snprintf(path, sizeof path, "%s/conform_c_XXXXXX", folder != NULL ? folder : "/tmp");
  const int fd = mkstemp(path);
  FILE* file = fd < 0 ? NULL : fdopen(fd, "wb");
  if (file == NULL) die("no file for a packed set");
  const bool is_written = fwrite(from->data, 1, from->size, file) == from->size;
  if (fclose(file) != 0 || !is_written) die("cannot write %s", path);
  bloomery_error error = BLOOMERY_ERROR_INIT;
  bloomery_packed* set = NULL;
  uint64_t damaged = 0;
  const bloomery_status status = bloomery_packed_open(path, options, &set, &error);
  unlink(path);  // the mapping stays
  if (status != BLOOMERY_OK) {
    say_error_at(&error);
    return;
  }
  bloomery_packed_verify(set, 1, &damaged);
  printf("ok kind=%s damaged=%llu members=%llu", bloomery_kind_name(kind),
         (unsigned long long)damaged, (unsigned long long)bloomery_packed_size(set));
  keep_packed(word_at(line, 1), set);
}

static void decode_own(const struct line* line, const struct bytes* from, uint32_t form,
                       const bloomery_read_options* options) {
  bloomery_error error = BLOOMERY_ERROR_INIT;
  bloomery_info info = BLOOMERY_INFO_INIT;
  bloomery_filter* filter = NULL;
  if (bloomery_filter_decode(form, from->data, from->size, options, &filter, &error) !=
      BLOOMERY_OK) {
    say_error_at(&error);
    return;
  }
  bloomery_filter_info(filter, BLOOMERY_INFO_LAYOUT, &info);
  printf("ok kind=%s damaged=%llu", bloomery_kind_name(info.kind),
         (unsigned long long)info.damaged_chunks);
  keep_filter(word_at(line, 1), filter);
}

// False, and said so, if the header is refused.
static bool inspected(const struct bytes* from, bloomery_container* facts) {
  bloomery_error error = BLOOMERY_ERROR_INIT;
  if (bloomery_container_inspect(from->data, from->size, from->size, facts, &error) ==
      BLOOMERY_OK)
    return true;
  say_error_at(&error);
  return false;
}

static void decode_native(const struct line* line, const struct bytes* from) {
  bloomery_read_options options = BLOOMERY_READ_OPTIONS_INIT;
  bloomery_container facts = BLOOMERY_CONTAINER_INIT;
  struct bytes secret = parse_hex(option_or(line, "secret", ""));
  if (option_or(line, "secret", NULL) != NULL) {
    if (secret.size != 16) die("a secret has 16 bytes");
    options.secret = secret.data;
  }
  options.source = source_named(option_or(line, "source", "bytes"));
  if (inspected(from, &facts)) {
    if (facts.kind == BLOOMERY_KIND_PACKED || facts.kind == BLOOMERY_KIND_PACKED_STATIC)
      decode_packed(line, from, facts.kind, &options);
    else if (facts.kind == BLOOMERY_KIND_FOREIGN)
      decode_wrapped(line, from, &options);
    else
      decode_own(line, from, BLOOMERY_FORM_CONTAINER, &options);
  }
  free(secret.data);
}

static void decode_portable(const struct line* line, const struct bytes* from) {
  bloomery_read_options options = BLOOMERY_READ_OPTIONS_INIT;
  options.source = source_named(option_or(line, "source", "bytes"));
  decode_own(line, from, BLOOMERY_FORM_PORTABLE, &options);
}

void do_decode(const struct line* line) {
  const struct bytes* from = bytes_named(word_at(line, 2));
  const char* form = word_at(line, 3);
  if (strcmp(form, "native") == 0)
    decode_native(line, from);
  else if (strcmp(form, "portable") == 0)
    decode_portable(line, from);
  else
    decode_foreign(line, from);
}

void do_inspect(const struct line* line) {
  bloomery_container facts = BLOOMERY_CONTAINER_INIT;
  if (!inspected(bytes_named(word_at(line, 1)), &facts)) return;
  printf(
      "kind=%s hashes=%u units=%llu payload=%llu+%llu sentinels=%u notes=%llu keys=%llu",
      bloomery_kind_name(facts.kind), (unsigned)facts.hashes,
      (unsigned long long)facts.units, (unsigned long long)facts.payload_at,
      (unsigned long long)facts.payload_bytes, (unsigned)facts.sentinels,
      (unsigned long long)facts.notes_bytes, (unsigned long long)facts.keys);
}
