// A test is a function that CHECKs; main counts.
#pragma once

#include <bloomery/bloomery.h>
#include <stdio.h>
#include <string.h>

extern unsigned long checks, failures;
extern const char* work_folder;

#define CHECK(condition)                                                     \
  do {                                                                       \
    ++checks;                                                                \
    if (!(condition)) {                                                      \
      ++failures;                                                            \
      fprintf(stderr, "%s:%d: CHECK(%s)\n", __FILE__, __LINE__, #condition); \
    }                                                                        \
  } while (0)

// Reports an unexpected status by its name.
#define CHECK_STATUS(call, expected)                                \
  do {                                                              \
    const int got_ = (int)(call);                                   \
    ++checks;                                                       \
    if (got_ != (int)(expected)) {                                  \
      ++failures;                                                   \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, \
              bloomery_status_name(got_));                          \
    }                                                               \
  } while (0)
#define CHECK_OK(call) CHECK_STATUS(call, BLOOMERY_OK)
#define CHECK_INVALID(call) CHECK_STATUS(call, BLOOMERY_INVALID_ARGUMENT)

// A file in the folder that the test may write to.  Valid until the next call.
const char* file_named(const char* name);

// A filter of some kind, sized for `keys` at 1 %; ends the program if there
// is none.
bloomery_filter* filter_of(uint32_t kind, uint64_t keys);
// The same for keys of another source than bytes.
bloomery_filter* filter_of_source(uint32_t kind, uint64_t keys, uint32_t source);

// "k<i>" into `text`, which has room for 32; its length.
size_t key_text(char* text, unsigned i);

// Kinds that erase keys hold copies and are no bits.
int erases(uint32_t kind);
// Keeps recent keys only, by design: insert_if_absent inserts in either case.
int forgets(uint32_t kind);
// Files note keys and sentinels, which are neither erased nor forgotten.
int keeps_notes(uint32_t kind);
// A filter that was sized for 1 % and holds its keys has a rate above this.
double min_rate(uint32_t kind);
// Keys can be inserted: not into kinds that are only built (builder_test.c).
int grows(uint32_t kind);

// By the call that the kind has.
void insert_key(bloomery_filter* filter, const void* key, size_t size);
// Inserts k0 .. k<count - 1>.
void insert_keys(bloomery_filter* filter, unsigned count);

void test_status(void);
void test_structs(void);
void test_hash(void);
void test_sizing(void);
void test_kinds(void);
void test_calls(void);
void test_erase(void);
void test_receipts(void);
void test_receipts_law(void);
void test_builder(void);
void test_make(void);
void test_keys(void);
void test_whole(void);
void test_info(void);
void test_fields(void);
void test_bytes(void);
void test_damage(void);
void test_view(void);
void test_packed(void);
void test_concurrent(void);
void test_foreign(void);
void test_null(void);
