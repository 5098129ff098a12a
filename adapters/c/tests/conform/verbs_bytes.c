// Verbs on bytes: made, changed, written, read.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

// CRC-32C (spec/container.md), a bit at a time.
static uint32_t crc32c(const struct bytes* bytes) {
  uint32_t crc = 0xffffffff;
  for (size_t i = 0; i < bytes->size; ++i) {
    crc ^= bytes->data[i];
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
  }
  return ~crc;
}

static void say_summary(const struct bytes* bytes) {
  printf("%zu %08x", bytes->size, (unsigned)crc32c(bytes));
}

static void keep_and_say(const char* name, struct bytes bytes) {
  say_summary(&bytes);
  keep_bytes(name, bytes);
}

static int by_value(const void* a, const void* b) {
  const uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
  return (x > y) - (x < y);
}

// The smallest distinct hashes of these keys, at most 8, into `out`; how many.
static uint32_t sentinels_of(const bloomery_filter* filter, const char* word,
                             uint64_t out[8]) {
  struct keys keys = parse_keys(word);
  uint64_t* hashes = calloc(keys.count + 1, sizeof *hashes);
  uint32_t count = 0;
  if (hashes == NULL) die("out of memory");
  for (size_t i = 0; i < keys.count; ++i) hashes[i] = hash_of(filter, &keys.all[i]);
  qsort(hashes, keys.count, sizeof *hashes, by_value);
  for (size_t i = 0; i < keys.count && count < 8; ++i)
    if (count == 0 || hashes[i] != out[count - 1]) out[count++] = hashes[i];
  free(hashes);
  free_keys(&keys);
  return count;
}

void do_encode(const struct line* line) {
  const bloomery_filter* filter = filter_named(word_at(line, 2));
  const char* form = word_at(line, 3);
  const bool is_native = strcmp(form, "native") == 0;
  bloomery_write_options notes = BLOOMERY_WRITE_OPTIONS_INIT;
  uint64_t sentinels[8], size = 0;
  if (!is_native && strcmp(form, "portable") != 0) die("no such form: %s", form);
  if (is_native) {
    notes.keys = number_or(line, "keys", 0);
    if (option_or(line, "fpr", NULL) != NULL) notes.asked_fpr = real_of(line, "fpr");
    if (option_or(line, "sentinels", NULL) != NULL) {
      struct keys keys = parse_keys(option_of(line, "sentinels"));
      const bool is_taken = takes(source_of_filter(filter), &keys);
      free_keys(&keys);
      if (!is_taken) return;
      notes.sentinels = sentinels;
      notes.sentinel_count =
          sentinels_of(filter, option_of(line, "sentinels"), sentinels);
    }
  }
  const uint32_t number = is_native ? BLOOMERY_FORM_CONTAINER : BLOOMERY_FORM_PORTABLE;
  bloomery_status status =
      bloomery_filter_encoded_size(filter, number, &notes, &size, NULL);
  if (status == BLOOMERY_INCOMPATIBLE) die("only a portable filter has this form");
  struct bytes bytes = {malloc((size_t)size), 0};
  if (status == BLOOMERY_OK)
    status = bloomery_filter_encode_into(filter, number, &notes, bytes.data, (size_t)size,
                                         &bytes.size, NULL);
  if (status == BLOOMERY_OK) {
    keep_and_say(word_at(line, 1), bytes);
  } else {
    free(bytes.data);
    say_error(status);
  }
}

void do_bytes(const struct line* line) {
  const char* hex = word_at(line, 2);
  keep_and_say(word_at(line, 1), parse_hex(strcmp(hex, "-") == 0 ? "" : hex));
}

void do_show(const struct line* line) {
  const struct bytes* bytes = bytes_named(word_at(line, 1));
  if (bytes->size == 0) printf("-");
  for (size_t i = 0; i < bytes->size; ++i) printf("%02x", bytes->data[i]);
}

void do_flip(const struct line* line) {
  struct bytes* bytes = bytes_named(word_at(line, 1));
  const uint64_t bit = number_at(line, 2);
  if (bit / 8 >= bytes->size) die("no such bit");
  bytes->data[bit / 8] ^= (unsigned char)(1u << (bit % 8));
  say_summary(bytes);
}

void do_put(const struct line* line) {
  struct bytes* bytes = bytes_named(word_at(line, 1));
  const uint64_t at = number_at(line, 2);
  struct bytes with = parse_hex(word_at(line, 3));
  if (at > bytes->size || with.size > bytes->size - at) die("beyond the last byte");
  memcpy(bytes->data + at, with.data, with.size);
  free(with.data);
  say_summary(bytes);
}

void do_cut(const struct line* line) {
  struct bytes* bytes = bytes_named(word_at(line, 1));
  if (number_at(line, 2) > bytes->size) die("beyond the last byte");
  bytes->size = (size_t)number_at(line, 2);
  say_summary(bytes);
}

void do_add(const struct line* line) {
  struct bytes* bytes = bytes_named(word_at(line, 1));
  struct bytes more = parse_hex(word_at(line, 2));
  unsigned char* joined = realloc(bytes->data, bytes->size + more.size + 1);
  if (joined == NULL) die("out of memory");
  memcpy(joined + bytes->size, more.data, more.size);
  bytes->data = joined;
  bytes->size += more.size;
  free(more.data);
  say_summary(bytes);
}

static FILE* open_file(const char* name, const char* mode) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", files_folder, name);
  FILE* file = fopen(path, mode);
  if (file == NULL) die("cannot open %s", path);
  return file;
}

void do_write(const struct line* line) {
  const struct bytes* bytes = bytes_named(word_at(line, 1));
  FILE* file = open_file(word_at(line, 2), "wb");
  const bool is_written = fwrite(bytes->data, 1, bytes->size, file) == bytes->size;
  if (fclose(file) != 0 || !is_written) die("cannot write %s", word_at(line, 2));
  printf("ok");
}

void do_read(const struct line* line) {
  FILE* file = open_file(word_at(line, 2), "rb");
  struct bytes bytes = {NULL, 0};
  for (size_t got = 1; got != 0; bytes.size += got) {
    unsigned char* larger = realloc(bytes.data, bytes.size + 65536);
    if (larger == NULL) die("out of memory");
    bytes.data = larger;
    got = fread(bytes.data + bytes.size, 1, 65536, file);
  }
  if (ferror(file)) die("cannot read %s", word_at(line, 2));
  fclose(file);
  keep_and_say(word_at(line, 1), bytes);
}
