// Whatever is done with numbered receipts, a key that was inserted and not erased is
// found: random inserts, erases, replays, receipts of another filter, doublings, merges,
// saves and losses of what was not saved, against an exact multiset.
#include <stdlib.h>

#include "check.h"

enum { keys = 3000, foreign = 40, steps = 4000, histories = 8 };

// What a program around a filter has: the filter, what it stored, and what it knows.
typedef struct service {
  bloomery_filter* filter;
  unsigned copies[keys];
  bloomery_receipt open[keys];  // not used
  unsigned key_of[keys];        // that they are for
  unsigned open_count;
  bloomery_receipt used[keys];
  unsigned used_count;
} service;

static uint64_t state;
static unsigned below(unsigned n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)((state >> 33) % n);
}

// A high rate: a receipt that is used twice then finds another key's fingerprint.
static bloomery_filter* small_filter(uint32_t kind) {
  bloomery_options options = BLOOMERY_OPTIONS_INIT;
  bloomery_filter* filter = NULL;
  options.kind = kind;
  options.keys = keys / 2;
  options.fpr = 0.1;
  CHECK_OK(bloomery_filter_make(&options, &filter, NULL));
  if (filter == NULL) exit(1);
  return filter;
}

static bloomery_filter* copy_of(const bloomery_filter* filter) {
  bloomery_filter* copy = NULL;
  CHECK_OK(bloomery_filter_copy(filter, &copy, NULL));
  return copy;
}

static void check_all(const service* s) {
  char key[32];
  unsigned lost = 0;
  for (unsigned i = 0; i < keys; ++i)
    lost += s->copies[i] != 0 &&
            bloomery_filter_may_contain(s->filter, key, key_text(key, i)) != 1;
  CHECK(lost == 0);
}

static void insert(service* s) {
  char key[32];
  const unsigned i = below(keys);
  bloomery_receipt receipt;
  if (s->open_count == keys ||
      bloomery_filter_try_insert_numbered_receipt(s->filter, key, key_text(key, i),
                                                  &receipt, NULL) != BLOOMERY_OK)
    return;  // full, or too many copies
  ++s->copies[i];
  s->key_of[s->open_count] = i;
  s->open[s->open_count++] = receipt;
}

static void erase(service* s) {
  if (s->open_count == 0 || s->used_count == keys) return;
  const unsigned at = below(s->open_count), last = --s->open_count;
  bloomery_receipt receipt = s->open[at];
  s->used[s->used_count++] = receipt;
  CHECK_OK(bloomery_filter_erase_receipt(s->filter, &receipt, NULL));
  --s->copies[s->key_of[at]];
  s->open[at] = s->open[last];
  s->key_of[at] = s->key_of[last];
}

static void merge(service* s, uint32_t kind) {
  char key[32];
  const unsigned i = below(keys);
  bloomery_filter* one = copy_of(s->filter);
  if (!bloomery_kind_can(kind, BLOOMERY_CAN_MERGE) || below(10) != 0) {
    bloomery_filter_free(one);
    return;
  }
  CHECK_OK(bloomery_filter_clear(one));
  insert_key(one, key, key_text(key, i));
  if (bloomery_filter_merge(s->filter, one, NULL) == BLOOMERY_OK) ++s->copies[i];
  bloomery_filter_free(one);
}

// Through bytes.
static void save(const service* now, service* saved) {
  bloomery_buffer* file = NULL;
  bloomery_filter_free(saved->filter);
  *saved = *now;
  saved->filter = NULL;
  CHECK_OK(
      bloomery_filter_encode(now->filter, BLOOMERY_FORM_CONTAINER, NULL, &file, NULL));
  CHECK_OK(bloomery_filter_decode(BLOOMERY_FORM_CONTAINER, bloomery_buffer_data(file),
                                  bloomery_buffer_size(file), NULL, &saved->filter,
                                  NULL));
  bloomery_buffer_free(file);
  CHECK(bloomery_filter_equal(now->filter, saved->filter) == 1);
}

// What was not saved is gone, receipts included.
static void crash(service* now, const service* saved) {
  bloomery_filter_free(now->filter);
  *now = *saved;
  now->filter = copy_of(saved->filter);
}

static unsigned long law_of(uint32_t kind, uint64_t seed) {
  static service now, saved;
  static bloomery_receipt of_another[foreign];
  bloomery_filter* other = small_filter(kind);
  char key[32];
  bloomery_receipt receipt;
  memset(&now, 0, sizeof now);
  memset(&saved, 0, sizeof saved);
  state = seed;
  now.filter = small_filter(kind);
  for (unsigned i = 0; i < foreign; ++i)
    CHECK_OK((i % 2 == 0 ? bloomery_filter_try_insert_numbered_receipt
                         : bloomery_filter_try_insert_receipt)(
        other, key, key_text(key, i), &of_another[i], NULL));
  save(&now, &saved);
  for (unsigned i = 0; i < steps; ++i) {
    switch (below(32)) {
      default:
        insert(&now);
        break;
      case 20:
      case 21:
      case 22:
      case 23:
      case 24:
      case 25:
        erase(&now);
        break;
      case 26:
      case 27:
        if (now.used_count == 0) break;
        receipt = now.used[below(now.used_count)];
        CHECK_STATUS(bloomery_filter_erase_receipt(now.filter, &receipt, NULL),
                     BLOOMERY_NOT_PRESENT);
        break;
      case 28:
        receipt = of_another[below(foreign)];
        CHECK_STATUS(bloomery_filter_erase_receipt(now.filter, &receipt, NULL),
                     BLOOMERY_INCOMPATIBLE);
        break;
      case 29:
        if (bloomery_kind_can(kind, BLOOMERY_CAN_GROW) && below(20) == 0)
          (void)bloomery_filter_grow(now.filter, NULL);  // refused without bits to spare
        break;
      case 30:
        merge(&now, kind);
        break;
      case 31:
        if (below(2) == 0)
          save(&now, &saved);
        else
          crash(&now, &saved);
    }
    if (i % 100 == 0) check_all(&now);
  }
  check_all(&now);
  // A filter that was emptied refuses them all.
  CHECK_OK(bloomery_filter_clear(now.filter));
  for (unsigned i = 0; i < now.open_count; ++i)
    CHECK_STATUS(bloomery_filter_erase_receipt(now.filter, &now.open[i], NULL),
                 BLOOMERY_INCOMPATIBLE);
  bloomery_filter_free(now.filter);
  bloomery_filter_free(saved.filter);
  bloomery_filter_free(other);
  return steps;
}

void test_receipts_law(void) {
  unsigned long operations = 0;
  for (size_t i = 0; i < bloomery_kind_count(); ++i)
    if (bloomery_kind_can(bloomery_kind_at(i), BLOOMERY_CAN_ERASE))
      for (uint64_t seed = 1; seed <= histories; ++seed)
        operations += law_of(bloomery_kind_at(i), seed);
  printf("cases: operations %lu\n", operations);
}
