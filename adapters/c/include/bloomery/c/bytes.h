// Filters to bytes and files, and back.
#pragma once

#include <bloomery/c/api.h>
#include <bloomery/c/filter.h>
#include <bloomery/c/status.h>

BLOOMERY_C_BEGIN

// The form of the bytes is named, never guessed: several begin alike.
typedef enum bloomery_form {
  BLOOMERY_FORM_PORTABLE = 1,   // kind portable: the bare bytes that every language reads
  BLOOMERY_FORM_CONTAINER = 2,  // every kind, under checksums (spec/container.md)
  BLOOMERY_FORM_BITSET = 3      // kind split-block: the bits alone, as in a Parquet file
} bloomery_form;

// What a builder knows and a filter does not, for containers.  NULL, or a field that is
// 0: nothing, or, of a filter that a builder has made (c/builder.h), what that one knew.
typedef struct bloomery_write_options {
  uint32_t struct_size;
  uint32_t sentinel_count;    // at most 8
  const uint64_t* sentinels;  // the smallest of all keys' hashes; a reader looks them up
  uint64_t keys;              // distinct keys, counted; 0: unknown
  double asked_fpr;           // 0: not recorded
  // While a file is written: bytes done, and bytes in all.  NULL: nobody is told.
  void (*progress)(void* context, uint64_t done, uint64_t all);
  void* context;
} bloomery_write_options;

#define BLOOMERY_WRITE_OPTIONS_INIT \
  { sizeof(bloomery_write_options), 0, NULL, 0, 0, NULL, NULL }

// What a reader of containers is told.  NULL: nothing, and bytes will be asked.  A file
// that says otherwise is refused (incompatible); one that does not say is taken at this
// word.
typedef struct bloomery_read_options {
  uint32_t struct_size;
  uint32_t source;        // bloomery_source: the keys that you will ask
  const uint8_t* secret;  // the 16 bytes of a keyed hash, which are never in the file
  uint64_t max_bytes;     // refuse a larger payload; 0: any size
} bloomery_read_options;

#define BLOOMERY_READ_OPTIONS_INIT \
  { sizeof(bloomery_read_options), 0, NULL, 0 }

// Bytes that the library has made.
typedef struct bloomery_buffer bloomery_buffer;

// Threads: may run together with every other call.
BLOOMERY_API const void* bloomery_buffer_data(const bloomery_buffer* buffer);

// Threads: may run together with every other call.
BLOOMERY_API size_t bloomery_buffer_size(const bloomery_buffer* buffer);

// `buffer` may be NULL.
// Threads: must run alone on this filter, which here is the buffer.
BLOOMERY_API void bloomery_buffer_free(bloomery_buffer* buffer);

// --- out ---

// The same filter, form and options always give the same bytes.

// How many bytes `encode` would give; costs nothing.
// Errors: invalid_argument, incompatible (the kind has no such form).
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_filter_encoded_size(
    const bloomery_filter* filter, uint32_t form, const bloomery_write_options* options,
    uint64_t* size, bloomery_error* error);

// Into memory of the caller's, of which `size` bytes are used.
// Errors: as above, too_large (asked: bytes needed; possible: `capacity`), out_of_memory.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_filter_encode_into(
    const bloomery_filter* filter, uint32_t form, const bloomery_write_options* options,
    void* memory, size_t capacity, size_t* size, bloomery_error* error);

// Into a buffer of the library's.
// Errors: as encoded_size, out_of_memory.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_filter_encode(const bloomery_filter* filter,
                                                    uint32_t form,
                                                    const bloomery_write_options* options,
                                                    bloomery_buffer** buffer,
                                                    bloomery_error* error);

// Into a file, atomically and durably: whatever goes wrong, it is the old one or the new
// one, whole.
// Errors: as encode, io; unsupported for a bitset.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_filter_save(const bloomery_filter* filter,
                                                  uint32_t form,
                                                  const bloomery_write_options* options,
                                                  const char* path,
                                                  bloomery_error* error);

// --- in ---

// Of a container the kind is found out.  Its damaged chunks answer "perhaps", which info
// tells; a damaged header, table or length refuses.

// Errors: corrupt, unsupported, incompatible (a secret is missing or wrong; keys of
// another source; a container of another system's filter, or of several), too_large,
// out_of_memory. Threads: may run together with every other call.
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
