#include "line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void* some_memory(size_t size) {
  void* memory = calloc(1, size == 0 ? 1 : size);
  if (memory == NULL) die("out of memory");
  return memory;
}

// Keys have a colon or a bracket before any equals sign.
static bool is_option(const char* word) {
  const size_t before = strcspn(word, ":[=");
  return word[before] == '=';
}

struct line parse_line(char* text) {
  size_t most = 1;
  for (const char* c = text; *c != '\0'; ++c) most += *c == ' ';
  struct line line = {some_memory(most * sizeof(char*)),
                      some_memory(most * sizeof(char*)), 0, 0};
  for (char* word = text; word != NULL;) {
    char* blank = strchr(word, ' ');
    if (blank != NULL) *blank = '\0';
    if (*word == '\0') die("words are separated by one blank");
    if (is_option(word))
      line.options[line.option_count++] = word;
    else
      line.words[line.word_count++] = word;
    word = blank == NULL ? NULL : blank + 1;
  }
  return line;
}

void free_line(struct line* line) {
  free(line->words);
  free(line->options);
}

static uint64_t parse_number(const char* text, int base) {
  char* end = NULL;
  errno = 0;
  const unsigned long long number = strtoull(text, &end, base);
  if (*text == '\0' || *text == '-' || *text == '+' || *end != '\0' || errno != 0)
    die("no number: %s", text);
  return number;
}

const char* word_at(const struct line* line, size_t i) {
  if (i >= line->word_count) die("an argument is missing");
  return line->words[i];
}

uint64_t number_at(const struct line* line, size_t i) {
  return parse_number(word_at(line, i), 10);
}

const char* option_or(const struct line* line, const char* name, const char* otherwise) {
  const size_t size = strlen(name);
  for (size_t i = 0; i < line->option_count; ++i)
    if (strncmp(line->options[i], name, size) == 0 && line->options[i][size] == '=')
      return line->options[i] + size + 1;
  return otherwise;
}

const char* option_of(const struct line* line, const char* name) {
  const char* value = option_or(line, name, NULL);
  if (value == NULL) die("an option is missing: %s", name);
  return value;
}

uint64_t number_of(const struct line* line, const char* name) {
  return parse_number(option_of(line, name), 10);
}

uint64_t number_or(const struct line* line, const char* name, uint64_t otherwise) {
  return option_or(line, name, NULL) == NULL ? otherwise : number_of(line, name);
}

double real_of(const struct line* line, const char* name) {
  const char* text = option_of(line, name);
  char* end = NULL;
  const double real = strtod(text, &end);
  if (*text == '\0' || *end != '\0') die("no real number: %s", text);
  return real;
}

static unsigned digit_of(char c) {
  static const char digits[] = "0123456789abcdef";
  const char* at = c == '\0' ? NULL : strchr(digits, c);
  if (at == NULL) die("not hexadecimal");
  return (unsigned)(at - digits);
}

struct bytes parse_hex(const char* hex) {
  const size_t size = strlen(hex) / 2;
  if (strlen(hex) % 2 != 0) die("not hexadecimal");
  struct bytes bytes = {some_memory(size), size};
  for (size_t i = 0; i < size; ++i)
    bytes.data[i] = (unsigned char)(digit_of(hex[2 * i]) << 4 | digit_of(hex[2 * i + 1]));
  return bytes;
}

static uint64_t parse_16_digits(const char* hex) {
  if (strlen(hex) != 16) die("no 16 digits: %s", hex);
  return parse_number(hex, 16);
}

bloomery_hasher parse_hasher(const char* word) {
  bloomery_hasher hasher = BLOOMERY_HASHER_INIT;
  const size_t name = strcspn(word, ":");
  const char* rest = word[name] == ':' ? word + name + 1 : "";
  for (uint32_t id = BLOOMERY_HASH_XXH3; id <= BLOOMERY_HASH_SIPHASH13; ++id)
    if (strlen(bloomery_hash_name(id)) == name &&
        strncmp(word, bloomery_hash_name(id), name) == 0)
      hasher.id = id;
  if (hasher.id == BLOOMERY_HASH_DEFAULT) die("no hasher: %s", word);
  if (hasher.id == BLOOMERY_HASH_SIPHASH13) {
    struct bytes secret = parse_hex(rest);
    if (secret.size != sizeof hasher.secret) die("a secret has 16 bytes");
    memcpy(hasher.secret, secret.data, secret.size);
    free(secret.data);
  } else if (*rest != '\0') {
    hasher.seed = parse_16_digits(rest);
  }
  return hasher;
}

uint32_t source_named(const char* name) {
  if (strcmp(name, "any") == 0) return BLOOMERY_SOURCE_ANY;
  for (uint32_t i = 0; i <= BLOOMERY_SOURCE_UTF16; ++i)
    if (strcmp(name, bloomery_source_name(i)) == 0) return i;
  die("no such source: %s", name);
}

static struct keys some_keys(size_t count) {
  struct keys keys = {some_memory(count * sizeof(struct key)), count, true};
  return keys;
}

static struct keys one_key(enum key_kind kind, struct bytes bytes, uint64_t value) {
  struct keys keys = some_keys(1);
  keys.all[0] = (struct key){kind, bytes, value};
  keys.only_bytes = kind == KEY_BYTES;
  return keys;
}

static struct bytes copy_of(const char* text) {
  struct bytes bytes = {some_memory(strlen(text)), strlen(text)};
  memcpy(bytes.data, text, bytes.size);
  return bytes;
}

// N bytes, byte i being i mod 251.
static struct bytes pattern(uint64_t size) {
  struct bytes bytes = {some_memory((size_t)size), (size_t)size};
  for (size_t i = 0; i < bytes.size; ++i) bytes.data[i] = (unsigned char)(i % 251);
  return bytes;
}

// PREFIX[A..B]
static struct keys parse_range(const char* word) {
  const char* open = strchr(word, '[');
  unsigned long long first = 0, last = 0;
  int end = 0;
  if (open == NULL || sscanf(open, "[%llu..%llu]%n", &first, &last, &end) != 2 ||
      end == 0 || open[end] != '\0')
    die("no key: %s", word);
  struct keys keys = some_keys(last < first ? 0 : (size_t)(last - first + 1));
  for (size_t i = 0; i < keys.count; ++i) {
    char text[64];
    const int prefix = (int)(open - word);
    if (prefix > 40) die("no key: %s", word);
    snprintf(text, sizeof text, "%.*s%llu", prefix, word, first + i);
    keys.all[i].bytes = copy_of(text);
  }
  return keys;
}

struct keys parse_keys(const char* word) {
  const struct bytes none = {NULL, 0};
  const char* rest = strlen(word) < 2 ? "" : word + 2;
  if (strncmp(word, "t:", 2) == 0) return one_key(KEY_BYTES, copy_of(rest), 0);
  if (strncmp(word, "x:", 2) == 0) return one_key(KEY_BYTES, parse_hex(rest), 0);
  if (strncmp(word, "p:", 2) == 0)
    return one_key(KEY_BYTES, pattern(parse_number(rest, 10)), 0);
  if (strncmp(word, "u:", 2) == 0)
    return one_key(KEY_NUMBER, none, parse_number(rest, 10));
  if (strncmp(word, "h:", 2) == 0) return one_key(KEY_HASH, none, parse_16_digits(rest));
  return parse_range(word);
}

struct keys keys_from(const struct line* line, size_t i) {
  word_at(line, i);
  struct keys all = some_keys(0);
  for (; i < line->word_count; ++i) {
    struct keys some = parse_keys(line->words[i]);
    struct key* joined = realloc(all.all, (all.count + some.count + 1) * sizeof *joined);
    if (joined == NULL) die("out of memory");
    memcpy(joined + all.count, some.all, some.count * sizeof *joined);
    all.all = joined;
    all.count += some.count;
    all.only_bytes = all.only_bytes && some.only_bytes;
    free(some.all);
  }
  return all;
}

void free_keys(struct keys* keys) {
  for (size_t i = 0; i < keys->count; ++i) free(keys->all[i].bytes.data);
  free(keys->all);
}
