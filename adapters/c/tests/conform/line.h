// One line of an op script (spec/conformance.md, section 3): words, options, keys,
// hashers.
#pragma once

#include <bloomery/bloomery.h>
#include <stdbool.h>

// Ends the program with 2 and this message: the script does not parse, or cannot be run.
#if defined(__GNUC__)
__attribute__((noreturn, format(printf, 1, 2)))
#endif
void die(const char* format, ...);

struct bytes {
  unsigned char* data;  // malloc'ed; may be NULL if there are none
  size_t size;
};

struct line {
  char** words;    // those that are no options
  char** options;  // NAME=VALUE
  size_t word_count, option_count;
};

// Cuts `text`, which the line points into.
struct line parse_line(char* text);
void free_line(struct line* line);

const char* word_at(const struct line* line, size_t i);
uint64_t number_at(const struct line* line, size_t i);
const char* option_or(const struct line* line, const char* name, const char* otherwise);
const char* option_of(const struct line* line, const char* name);
uint64_t number_of(const struct line* line, const char* name);
uint64_t number_or(const struct line* line, const char* name, uint64_t otherwise);
double real_of(const struct line* line, const char* name);

struct bytes parse_hex(const char* hex);
bloomery_hasher parse_hasher(const char* word);
// `any` included.
uint32_t source_named(const char* name);

enum key_kind { KEY_BYTES, KEY_NUMBER, KEY_HASH };

struct key {
  enum key_kind kind;
  struct bytes bytes;
  uint64_t value;  // of a number or a hash
};

struct keys {
  struct key* all;
  size_t count;
  bool only_bytes;
};

// The keys of one word, and of all words from `i` on.
struct keys parse_keys(const char* word);
struct keys keys_from(const struct line* line, size_t i);
void free_keys(struct keys* keys);
