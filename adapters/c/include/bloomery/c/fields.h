// What a kind takes and what its filters report, by name: the tables that the tool,
// Python and spec/kinds.json have too.  New kinds add rows, not functions.
#pragma once

#include <bloomery/c/api.h>
#include <bloomery/c/filter.h>
#include <bloomery/c/status.h>
#include <bloomery/c/view.h>

BLOOMERY_C_BEGIN

// --- options of a kind ---

typedef enum bloomery_option_type {
  BLOOMERY_OPTION_COUNT = 0,
  BLOOMERY_OPTION_REAL = 1,
  BLOOMERY_OPTION_FLAG = 2,
  BLOOMERY_OPTION_NAME = 3
} bloomery_option_type;

// Texts are constant and never freed.
typedef struct bloomery_option {
  uint32_t struct_size;
  uint32_t type;     // bloomery_option_type
  const char* name;  // for bloomery_options_set
  const char* help;  // one line
  double min, max;   // of numbers without choices
  uint64_t choices;  // how many values it may have; 0: any between min and max
  uint64_t preset;   // the value of a count that is not set; otherwise 0
} bloomery_option;

#define BLOOMERY_OPTION_INIT \
  { sizeof(bloomery_option), 0, NULL, NULL, 0, 0, 0, 0 }

// The `i`-th option of the kind, from 0.
// Errors: invalid_argument (no kind of that number, or no more options).
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_kind_option(uint32_t kind, size_t i,
                                                  bloomery_option* option);

// The name of the `choice`-th value of that option, from 0; NULL if there are no more.
// Threads: may run together with every other call.
BLOOMERY_API const char* bloomery_kind_option_choice(uint32_t kind, size_t i,
                                                     size_t choice);

// --- fields of a filter ---

typedef enum bloomery_field_type {
  BLOOMERY_FIELD_UNKNOWN = 0,  // not recorded, or not knowable
  BLOOMERY_FIELD_COUNT = 1,
  BLOOMERY_FIELD_REAL = 2,
  BLOOMERY_FIELD_TEXT = 3
} bloomery_field_type;

// A field of a kind, and what one filter has in it.  Texts are constant and never freed.
typedef struct bloomery_field {
  uint32_t struct_size;
  uint32_t type;       // bloomery_field_type
  const char* name;    // "tag_bits"
  const char* column;  // of a table ("levels"): which column; otherwise NULL
  uint64_t row;        // of a table, from 0
  const char* unit;    // "bits", "keys", "rate", ...; "": none
  const char* help;    // one line
  uint32_t part;       // of bloomery_info_parts: what it takes to compute it
  uint32_t reserved;   // 0
  uint64_t count;      // of the type COUNT, otherwise 0
  double real;         // of the type REAL, otherwise NaN; may be infinite
  const char* text;    // of the type TEXT, otherwise NULL
} bloomery_field;

#define BLOOMERY_FIELD_INIT \
  { sizeof(bloomery_field), 0, NULL, NULL, 0, NULL, NULL, 0, 0, 0, 0, NULL }

// The `i`-th field of the kind, from 0; a table has one for each column.  Its type is
// UNKNOWN.
// Errors: invalid_argument (no kind of that number, or no more fields).
// Threads: may run together with every other call.
BLOOMERY_API bloomery_status bloomery_kind_field(uint32_t kind, size_t i,
                                                 bloomery_field* field);

// One field that is no table.
// Errors: invalid_argument, unsupported (the kind has no such field).
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_filter_field(const bloomery_filter* filter,
                                                   const char* name,
                                                   bloomery_field* field,
                                                   bloomery_error* error);

// Calls each(context, field) for all fields of these parts (bloomery_info_parts, combined
// with |; the layout is always among them), tables row by row.  `field` is valid during
// the call only.
// Errors: invalid_argument, unsupported (an unknown part).
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_filter_fields(
    const bloomery_filter* filter, uint32_t parts,
    void (*each)(void* context, const bloomery_field* field), void* context);

// The same of a mapped container; for more than the layout every chunk is checked first.
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_view_field(const bloomery_view* view,
                                                 const char* name, bloomery_field* field,
                                                 bloomery_error* error);
// Threads: may run together with other reading calls on this filter.
BLOOMERY_API bloomery_status bloomery_view_fields(
    const bloomery_view* view, uint32_t parts,
    void (*each)(void* context, const bloomery_field* field), void* context);

BLOOMERY_C_END
