// Status codes and errors.
#pragma once

#include <bloomery/c/api.h>

BLOOMERY_C_BEGIN

// The numbers never change.  Later versions may add some.
typedef enum bloomery_status {
  BLOOMERY_OK = 0,
  BLOOMERY_INVALID_ARGUMENT = 1,  // a parameter is outside its documented range
  BLOOMERY_TOO_LARGE = 2,  // does not fit the address space, the format or the buffer
  BLOOMERY_OUT_OF_MEMORY = 3,
  BLOOMERY_UNATTAINABLE = 4,  // the target rate is mathematically impossible
  BLOOMERY_CORRUPT = 5,       // bytes that no writer of this format wrote
  BLOOMERY_UNSUPPORTED = 6,   // valid, but not for this build or this kind of filter
  BLOOMERY_INCOMPATIBLE = 7,  // two things that do not match
  BLOOMERY_IO = 8,            // the operating system refused; `asked` holds its errno
  // A refused key has changed nothing:
  BLOOMERY_FULL = 9,             // no room for it
  BLOOMERY_NOT_PRESENT = 10,     // it is not in the filter, so it cannot be erased
  BLOOMERY_TOO_MANY_COPIES = 11  // already the maximum number of copies of this key
} bloomery_status;

// "ok", "invalid_argument", "too_large", ...; "unknown" for other numbers.
// Threads: may run together with every other call.
BLOOMERY_API const char* bloomery_status_name(int status);

// Why a call failed; written only on failure.  NULL is accepted wherever an error is.  A
// struct_size below 8 is not an error: nothing is written.
typedef struct bloomery_error {
  uint32_t struct_size;
  uint32_t code;        // the bloomery_status that was returned
  uint64_t at;          // byte offset, if bytes are the cause
  double asked;         // the value that the caller or the file requested ...
  double possible;      // ... and the nearest possible value; 0 if there is none
  const char* message;  // English, constant, never freed
  char path[88];  // of calls that take a path: that path; a longer one is cut to its
                  // end, after "...".
} bloomery_error;

#define BLOOMERY_ERROR_INIT                         \
  {                                                 \
    sizeof(bloomery_error), 0, 0, 0, 0, NULL, { 0 } \
  }

// The error as a sentence: what is wrong, where, and what the operating system says:
//   cannot open nope.bloom: No such file or directory
// Writes at most `size` bytes, the last of them 0, and returns the length of the whole
// sentence without it, as snprintf does.  `text` may be NULL if size is 0.
// Threads: may run together with every other call.
BLOOMERY_API size_t bloomery_error_text(const bloomery_error* error, char* text,
                                        size_t size);

BLOOMERY_C_END
