// What a script has made, and what its verbs do to it.
#pragma once

#include "line.h"

// A variable holds one of these.
enum value_kind { VALUE_NONE, VALUE_BYTES, VALUE_FILTER, VALUE_FOREIGN, VALUE_PACKED };

struct value {
  enum value_kind kind;
  struct bytes bytes;
  bloomery_filter* filter;
  bloomery_foreign* foreign;
  bloomery_packed* packed;
};

// Files that `write` and `read` name lie here.
extern const char* files_folder;

// The variable, which is made if it does not exist.  Ends the program if it holds a value
// of another type.
struct value* variable(const char* name);
struct bytes* bytes_named(const char* name);
bloomery_filter* filter_named(const char* name);

// Assigning replaces what was there.
void keep_bytes(const char* name, struct bytes bytes);
void keep_filter(const char* name, bloomery_filter* filter);
void keep_foreign(const char* name, bloomery_foreign* foreign);
void keep_packed(const char* name, bloomery_packed* packed);
void forget_all(void);

// Each prints the result of its line, without the number before and the end behind.
void say_error(bloomery_status status);
void say_error_at(const bloomery_error* error);
void say_real(double real);

// A key under a filter's hasher; numbers in a filter of bytes under that of integers.
uint64_t hash_of(const bloomery_filter* filter, const struct key* key);
uint32_t source_of_filter(const bloomery_filter* filter);
// Whether keys are of the filter's source; says `error incompatible` if not.
bool takes(uint32_t source, const struct keys* keys);

typedef void verb(const struct line* line);

// verbs_numbers.c
verb do_hash, do_check, do_size, do_promise;
// verbs_filters.c
verb do_make, do_info, do_source, do_rate, do_expect, do_merge, do_fold, do_clear,
    do_equal;
// verbs_keys.c
verb do_insert, do_insert_batch, do_query, do_query_batch, do_count;
// verbs_bytes.c
verb do_encode, do_bytes, do_show, do_flip, do_put, do_cut, do_add, do_write, do_read;
// verbs_decode.c
verb do_decode, do_inspect;
