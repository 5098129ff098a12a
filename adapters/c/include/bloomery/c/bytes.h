// Filters to bytes and files, and back.
#pragma once

#include <bloomery/c/api.h>
#include <bloomery/c/filter.h>
#include <bloomery/c/status.h>

BLOOMERY_C_BEGIN

// The form of the bytes must be named; it is never guessed, because several begin alike.
typedef enum bloomery_form {
  BLOOMERY_FORM_PORTABLE = 1,   // kind portable: the bare bytes that every language reads
  BLOOMERY_FORM_CONTAINER = 2,  // every kind, under checksums (spec/container.md)
  BLOOMERY_FORM_BITSET = 3      // kind split-block: the bits alone, as in a Parquet file
} bloomery_form;

// Facts that a builder knows and a filter does not, for containers.  NULL, or a field
// that is 0: nothing, or, for a filter made by a builder (c/builder.h), the builder's
// value.
typedef struct bloomery_write_options {
  uint32_t struct_size;
  uint32_t sentinel_count;    // at most 8
  const uint64_t* sentinels;  // the smallest of all keys' hashes; a reader looks them up
  uint64_t keys;              // distinct keys, counted; 0: unknown
  double asked_fpr;           // 0: not recorded
  // Progress callback while a file is written: bytes done, bytes in total.  NULL: none.
  void (*progress)(void* context, uint64_t done, uint64_t all);
  void* context;
} bloomery_write_options;

#define BLOOMERY_WRITE_OPTIONS_INIT \
  { sizeof(bloomery_write_options), 0, NULL, 0, 0, NULL, NULL }

// Options for reading containers.  NULL: the defaults, with bytes as keys.  A file that
// records another source is refused (incompatible); for one that records none, this
// source is assumed.
typedef struct bloomery_read_options {
  uint32_t struct_size;
  uint32_t source;        // bloomery_source: the keys that you will query
  const uint8_t* secret;  // the 16 bytes of a keyed hash, which are never in the file
  uint64_t max_bytes;     // refuse a larger payload; 0: any size
} bloomery_read_options;

#define BLOOMERY_READ_OPTIONS_INIT \
  { sizeof(bloomery_read_options), 0, NULL, 0 }

// Bytes allocated by the library.
typedef struct bloomery_buffer bloomery_buffer;

// Threads: may run together with every other call.
BLOOMERY_API const void* bloomery_buffer_data(const bloomery_buffer* buffer);

// Threads: may run together with every other call.
BLOOMERY_API size_t bloomery_buffer_size(const bloomery_buffer* buffer);

// `buffer` may be NULL.
// Threads: must run alone on this filter, which here is the buffer.
BLOOMERY_API void bloomery_buffer_free(bloomery_buffer* buffer);

// --- writing ---

// The same filter, form and options always give the same bytes.

// How many bytes `encode` would return; costs nothing.
// Errors: invalid_argument, incompatible (the kind has no such form).
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_filter_encoded_size(
    const bloomery_filter* filter, uint32_t form, const bloomery_write_options* options,
    uint64_t* size, bloomery_error* error);

// Into the caller's memory; `size` receives the number of bytes used.
// Errors: as above, too_large (asked: bytes needed; possible: `capacity`), out_of_memory.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_filter_encode_into(
    const bloomery_filter* filter, uint32_t form, const bloomery_write_options* options,
    void* memory, size_t capacity, size_t* size, bloomery_error* error);

// Into a buffer allocated by the library.
// Errors: as encoded_size, out_of_memory.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_filter_encode(const bloomery_filter* filter,
                                                    uint32_t form,
                                                    const bloomery_write_options* options,
                                                    bloomery_buffer** buffer,
                                                    bloomery_error* error);

// Into a file, atomically and durably: after any failure the file is either the old one
// or the new one, whole.
// Errors: as encode, io; unsupported for a bitset.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_filter_save(const bloomery_filter* filter,
                                                  uint32_t form,
                                                  const bloomery_write_options* options,
                                                  const char* path,
                                                  bloomery_error* error);

// --- reading ---

// The kind is read from the container.  Damaged chunks answer "possibly present", and
// info reports them; a damaged header, table or length is refused.

// Errors: corrupt, unsupported, incompatible (a secret is missing or wrong; keys of
// another source; a container of another system's filter, or of several), too_large,
// out_of_memory.
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_filter_decode(uint32_t form, const void* data,
                                                    size_t size,
                                                    const bloomery_read_options* options,
                                                    bloomery_filter** filter,
                                                    bloomery_error* error);

// Errors: as decode, io; unsupported for a bitset.
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_filter_load(uint32_t form, const char* path,
                                                  const bloomery_read_options* options,
                                                  bloomery_filter** filter,
                                                  bloomery_error* error);

BLOOMERY_C_END
