// Verbs that compute and keep nothing.
#include <stdio.h>

#include "machine.h"

void do_hash(const struct line* line) {
  const bloomery_hasher hasher = parse_hasher(word_at(line, 1));
  struct keys keys = keys_from(line, 2);
  for (size_t i = 0; i < keys.count; ++i) {
    const struct key* key = &keys.all[i];
    uint64_t hash = 0;
    if (key->kind == KEY_HASH) die("hash takes no h:");
    const bloomery_status status =
        key->kind == KEY_NUMBER
            ? bloomery_hash_u64(&hasher, key->value, &hash)
            : bloomery_hash_bytes(&hasher, key->bytes.data, key->bytes.size, &hash);
    if (status != BLOOMERY_OK) die("hash: %s", bloomery_status_name((int)status));
    printf("%s%016llx", i == 0 ? "" : " ", (unsigned long long)hash);
  }
  free_keys(&keys);
}

void do_check(const struct line* line) {
  const bloomery_hasher hasher = parse_hasher(word_at(line, 1));
  uint64_t check = 0;
  const bloomery_status status = bloomery_hash_check(&hasher, &check);
  if (status != BLOOMERY_OK)
    say_error(status);
  else
    printf("%016llx", (unsigned long long)check);
}

static bloomery_status size_of(const struct line* line, bloomery_layout* layout) {
  bloomery_options options = BLOOMERY_OPTIONS_INIT;
  options.kind = BLOOMERY_KIND_PORTABLE;
  options.keys = number_of(line, "keys");
  if (option_or(line, "fpr", NULL) != NULL) {
    options.fpr = real_of(line, "fpr");
  } else if (option_or(line, "memory", NULL) != NULL) {
    options.size_by = BLOOMERY_SIZE_BY_MEMORY;
    options.memory = number_of(line, "memory");
  } else {
    options.size_by = BLOOMERY_SIZE_BY_BITS_PER_KEY;
    options.bits_per_key = real_of(line, "bits-per-key");
  }
  return bloomery_size(&options, layout, NULL);
}

void do_size(const struct line* line) {
  bloomery_layout layout = BLOOMERY_LAYOUT_INIT;
  const bloomery_status status = size_of(line, &layout);
  if (status != BLOOMERY_OK)
    say_error(status);
  else
    printf("bits=%llu hashes=%u", (unsigned long long)layout.bits,
           (unsigned)layout.hashes);
}

void do_promise(const struct line* line) {
  bloomery_layout layout = BLOOMERY_LAYOUT_INIT;
  bloomery_promise promise = BLOOMERY_PROMISE_INIT;
  bloomery_status status = size_of(line, &layout);
  if (status == BLOOMERY_OK)
    status =
        bloomery_portable_promise(layout.bits, layout.hashes, number_of(line, "keys"),
                                  real_of(line, "fpr"), &promise, NULL);
  if (status != BLOOMERY_OK) {
    say_error(status);
    return;
  }
  printf("%s ", promise.is_kept ? "kept" : promise.is_refused ? "refused" : "warned");
  say_real(promise.true_fpr);
}
