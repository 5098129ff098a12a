// Verbs on whole filters.
#include <stdio.h>
#include <string.h>

#include "machine.h"

static uint32_t kind_named(const char* name) {
  for (size_t i = 0; i < bloomery_kind_count(); ++i)
    if (strcmp(name, bloomery_kind_name(bloomery_kind_at(i))) == 0)
      return bloomery_kind_at(i);
  die("no such kind: %s", name);
}

static uint32_t profile_named(const char* name) {
  static const char* const names[] = {"half-line", "line", "two-lines"};
  for (uint32_t i = 0; i < 3; ++i)
    if (strcmp(name, names[i]) == 0) return BLOOMERY_PROFILE_HALF_LINE + i;
  die("no profile: %s", name);
}

static uint32_t small(uint64_t n) {
  if (n > UINT32_MAX) die("more than 32 bits");
  return (uint32_t)n;
}

static bloomery_info info_of(const bloomery_filter* filter, uint32_t parts) {
  bloomery_info info = BLOOMERY_INFO_INIT;
  if (bloomery_filter_info(filter, parts, &info) != BLOOMERY_OK)
    die("no info of a filter");
  return info;
}

// The option that gives an exact size is named as the kind's units are.
static void set_exact_size(const struct line* line, bloomery_options* options) {
  const char* units = bloomery_kind_units(options->kind);
  options->size_by = BLOOMERY_SIZE_EXACT;
  options->keys = number_or(line, "capacity", 0);
  if (strcmp(units, "blocks") == 0) {
    options->blocks = number_of(line, units);
  } else {
    options->hashes = small(number_of(line, "hashes"));
    options->bits = number_of(line, units);
    // The bits of one slice per hash; the interface takes those of the filter.
    if (strcmp(units, "slice") == 0) options->bits *= options->hashes;
  }
  if (option_or(line, "profile", NULL) != NULL)
    options->profile = profile_named(option_of(line, "profile"));
}

void do_make(const struct line* line) {
  bloomery_options options = BLOOMERY_OPTIONS_INIT;
  bloomery_hasher hasher = BLOOMERY_HASHER_INIT;
  bloomery_filter* filter = NULL;
  options.kind = kind_named(word_at(line, 2));
  if (option_or(line, "hash", NULL) != NULL)
    hasher = parse_hasher(option_of(line, "hash"));
  hasher.source = source_named(option_or(line, "source", "bytes"));
  options.hasher = &hasher;
  if (option_or(line, "fpr", NULL) != NULL) {
    options.keys = number_of(line, "keys");
    options.fpr = real_of(line, "fpr");
    if (number_or(line, "force", 0) != 0) options.flags = BLOOMERY_FORCE;
  } else {
    set_exact_size(line, &options);
  }
  const bloomery_status status = bloomery_filter_make(&options, &filter, NULL);
  if (status != BLOOMERY_OK) {
    say_error(status);
    return;
  }
  const bloomery_info info = info_of(filter, BLOOMERY_INFO_LAYOUT);
  printf("ok bits=%llu hashes=%u", (unsigned long long)info.bits, (unsigned)info.hashes);
  keep_filter(word_at(line, 1), filter);
}

void do_info(const struct line* line) {
  const bloomery_info info =
      info_of(filter_named(word_at(line, 1)), BLOOMERY_INFO_COUNTS);
  printf(
      "kind=%s bits=%llu hashes=%u capacity=%llu ones=%llu bytes=%llu hash=%s "
      "check=%016llx",
      bloomery_kind_name(info.kind), (unsigned long long)info.bits, (unsigned)info.hashes,
      (unsigned long long)info.capacity, (unsigned long long)info.ones,
      (unsigned long long)info.size_in_bytes, bloomery_hash_name(info.hash_id),
      (unsigned long long)info.hash_check);
}

void do_source(const struct line* line) {
  printf("%s", bloomery_source_name(
                   info_of(filter_named(word_at(line, 1)), BLOOMERY_INFO_LAYOUT).source));
}

void do_rate(const struct line* line) {
  const bloomery_info info = info_of(filter_named(word_at(line, 1)), BLOOMERY_INFO_ALL);
  printf("realised=");
  say_real(info.realised_fpr);
  printf(" keys=");
  say_real(info.estimated_keys);
}

void do_expect(const struct line* line) {
  say_real(
      bloomery_filter_expected_fpr(filter_named(word_at(line, 1)), number_at(line, 2)));
}

static void say_done(bloomery_status status) {
  if (status == BLOOMERY_OK)
    printf("ok");
  else
    say_error(status);
}

void do_merge(const struct line* line) {
  say_done(bloomery_filter_merge(filter_named(word_at(line, 1)),
                                 filter_named(word_at(line, 2)), NULL));
}

void do_fold(const struct line* line) {
  bloomery_filter* filter = filter_named(word_at(line, 1));
  const bloomery_status status = bloomery_filter_fold(filter, number_at(line, 2), NULL);
  if (status == BLOOMERY_UNSUPPORTED) die("this kind does not fold");
  say_done(status);
  if (status == BLOOMERY_OK)
    printf(" blocks=%llu",
           (unsigned long long)info_of(filter, BLOOMERY_INFO_LAYOUT).blocks);
}

void do_clear(const struct line* line) {
  say_done(bloomery_filter_clear(filter_named(word_at(line, 1))));
}

void do_equal(const struct line* line) {
  const int equal = bloomery_filter_equal(filter_named(word_at(line, 1)),
                                          filter_named(word_at(line, 2)));
  printf("%s", equal == 1 ? "yes" : "no");
}
