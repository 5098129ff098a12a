// Verbs that insert keys and ask for them.
#include <stdio.h>
#include <stdlib.h>

#include "machine.h"

static void must(bloomery_status status) {
  if (status != BLOOMERY_OK) die("a call failed: %s", bloomery_status_name((int)status));
}

// Arrays of pointers and sizes, or of hashes where some keys are no bytes.
struct batch {
  const void** pointers;
  size_t* sizes;
  uint64_t* hashes;
  uint8_t* perhaps;
};

static struct batch batch_of(const struct keys* keys) {
  struct batch b = {calloc(keys->count + 1, sizeof *b.pointers),
                    calloc(keys->count + 1, sizeof *b.sizes),
                    calloc(keys->count + 1, sizeof *b.hashes),
                    calloc(keys->count + 1, 1)};
  if (b.pointers == NULL || b.sizes == NULL || b.hashes == NULL || b.perhaps == NULL)
    die("out of memory");
  for (size_t i = 0; i < keys->count; ++i) {
    b.pointers[i] = keys->all[i].bytes.data;
    b.sizes[i] = keys->all[i].bytes.size;
  }
  return b;
}

static void free_batch(struct batch* b) {
  free((void*)b->pointers);
  free(b->sizes);
  free(b->hashes);
  free(b->perhaps);
}

uint32_t source_of_filter(const bloomery_filter* filter) {
  bloomery_info info = BLOOMERY_INFO_INIT;
  must(bloomery_filter_info(filter, BLOOMERY_INFO_LAYOUT, &info));
  return info.source;
}

static uint32_t source_of_set(const bloomery_packed* set) {
  bloomery_container facts = BLOOMERY_CONTAINER_INIT;
  must(bloomery_packed_container(set, &facts));
  return facts.source;
}

// The filter's hash and seed.  A secret is not handed out: no script asks for it here.
static bloomery_hasher hasher_of_filter(const bloomery_filter* filter) {
  bloomery_info info = BLOOMERY_INFO_INIT;
  bloomery_hasher hasher = BLOOMERY_HASHER_INIT;
  must(bloomery_filter_info(filter, BLOOMERY_INFO_LAYOUT, &info));
  if (info.hash_id == BLOOMERY_HASH_SIPHASH13) die("numbers under a secret");
  hasher.id = info.hash_id;
  hasher.seed = info.seed;
  return hasher;
}

// Numbers in a filter of bytes go through the hasher of integers, under the filter's
// hash.
uint64_t hash_of(const bloomery_filter* filter, const struct key* key) {
  uint64_t hash = key->value;
  if (key->kind == KEY_BYTES) {
    must(bloomery_filter_hash(filter, key->bytes.data, key->bytes.size, &hash));
  } else if (key->kind == KEY_NUMBER) {
    bloomery_hasher hasher = hasher_of_filter(filter);
    must(bloomery_hash_u64(&hasher, key->value, &hash));
  }
  return hash;
}

// Filters of bytes take every sort of key, others only their own.
bool takes(uint32_t source, const struct keys* keys) {
  for (size_t i = 0; source != BLOOMERY_SOURCE_BYTES && i < keys->count; ++i) {
    const bool fits =
        keys->all[i].kind == KEY_NUMBER ? source == BLOOMERY_SOURCE_INTEGERS
        : keys->all[i].kind == KEY_BYTES
            ? source != BLOOMERY_SOURCE_INTEGERS && source != BLOOMERY_SOURCE_HASHES
            : source == BLOOMERY_SOURCE_HASHES;
    if (!fits) {
      say_error(BLOOMERY_INCOMPATIBLE);
      return false;
    }
  }
  return true;
}

void do_insert(const struct line* line) {
  bloomery_filter* filter = filter_named(word_at(line, 1));
  struct keys keys = keys_from(line, 2);
  const uint32_t source = source_of_filter(filter);
  const bool is_taken = takes(source, &keys);
  for (size_t i = 0; is_taken && i < keys.count; ++i) {
    const struct key* key = &keys.all[i];
    must(key->kind == KEY_BYTES
             ? bloomery_filter_insert(filter, key->bytes.data, key->bytes.size)
         : key->kind == KEY_NUMBER && source == BLOOMERY_SOURCE_INTEGERS
             ? bloomery_filter_insert_u64(filter, key->value)
             : bloomery_filter_insert_hash(filter, hash_of(filter, key)));
  }
  free_keys(&keys);
  if (is_taken) printf("ok");
}

void do_insert_batch(const struct line* line) {
  bloomery_filter* filter = filter_named(word_at(line, 1));
  struct keys keys = keys_from(line, 2);
  struct batch b = batch_of(&keys);
  const bool is_taken = takes(source_of_filter(filter), &keys);
  if (is_taken && keys.only_bytes) {
    must(bloomery_filter_insert_batch(filter, b.pointers, b.sizes, keys.count));
  } else if (is_taken) {
    for (size_t i = 0; i < keys.count; ++i) b.hashes[i] = hash_of(filter, &keys.all[i]);
    must(bloomery_filter_insert_hash_batch(filter, b.hashes, keys.count));
  }
  free_batch(&b);
  free_keys(&keys);
  if (is_taken) printf("ok");
}

static int ask_filter(const bloomery_filter* filter, const struct key* key) {
  if (key->kind == KEY_BYTES)
    return bloomery_filter_may_contain(filter, key->bytes.data, key->bytes.size);
  if (key->kind == KEY_NUMBER && source_of_filter(filter) == BLOOMERY_SOURCE_INTEGERS)
    return bloomery_filter_may_contain_u64(filter, key->value);
  return bloomery_filter_may_contain_hash(filter, hash_of(filter, key));
}

static int ask_member(const bloomery_packed* set, uint64_t member,
                      const struct key* key) {
  if (member >= bloomery_packed_size(set)) die("no such member");
  if (key->kind == KEY_BYTES)
    return bloomery_packed_may_contain(set, member, key->bytes.data, key->bytes.size);
  if (key->kind == KEY_NUMBER)
    return bloomery_packed_may_contain_u64(set, member, key->value);
  return bloomery_packed_may_contain_hash(set, member, key->value);
}

static int ask_one(const struct line* line, const struct value* of,
                   const struct key* key) {
  switch (of->kind) {
    case VALUE_FILTER:
      return ask_filter(of->filter, key);
    case VALUE_PACKED:
      return ask_member(of->packed, number_of(line, "member"), key);
    case VALUE_FOREIGN:
      return bloomery_foreign_may_contain(of->foreign, key->bytes.data, key->bytes.size);
    default:
      die("no filter: %s", word_at(line, 1));
  }
}

static void ask_batch(const struct value* of, const struct keys* keys, struct batch* b) {
  if (of->kind == VALUE_FOREIGN) {
    must(bloomery_foreign_may_contain_batch(of->foreign, b->pointers, b->sizes,
                                            keys->count, b->perhaps));
  } else if (keys->only_bytes) {
    must(bloomery_filter_may_contain_batch(of->filter, b->pointers, b->sizes, keys->count,
                                           b->perhaps));
  } else {
    for (size_t i = 0; i < keys->count; ++i)
      b->hashes[i] = hash_of(of->filter, &keys->all[i]);
    must(bloomery_filter_may_contain_hash_batch(of->filter, b->hashes, keys->count,
                                                b->perhaps));
  }
}

// A digit for each key, or only how many of them are 1.
static void answer(const struct line* line, bool by_batch, bool only_count) {
  const struct value* of = variable(word_at(line, 1));
  struct keys keys = keys_from(line, 2);
  struct batch b = batch_of(&keys);
  size_t found = 0;
  if (of->kind == VALUE_FOREIGN && !keys.only_bytes)
    die("a foreign filter takes bytes only");
  if ((of->kind == VALUE_FILTER && !takes(source_of_filter(of->filter), &keys)) ||
      (of->kind == VALUE_PACKED && !takes(source_of_set(of->packed), &keys))) {
    free_batch(&b);
    free_keys(&keys);
    return;
  }
  if (by_batch && (of->kind == VALUE_FILTER || of->kind == VALUE_FOREIGN)) {
    ask_batch(of, &keys, &b);
  } else {
    for (size_t i = 0; i < keys.count; ++i) {
      const int perhaps = ask_one(line, of, &keys.all[i]);
      // A set without a record has the source that its opener named: only it knows.
      if (perhaps < 0) {
        printf("error %s", bloomery_status_name(-perhaps));
        free_batch(&b);
        free_keys(&keys);
        return;
      }
      b.perhaps[i] = (uint8_t)perhaps;
    }
  }
  for (size_t i = 0; i < keys.count; ++i) {
    found += b.perhaps[i];
    if (!only_count) putchar('0' + b.perhaps[i]);
  }
  if (only_count) printf("%zu", found);
  free_batch(&b);
  free_keys(&keys);
}

void do_query(const struct line* line) { answer(line, false, false); }
void do_query_batch(const struct line* line) { answer(line, true, false); }
void do_count(const struct line* line) { answer(line, true, true); }
