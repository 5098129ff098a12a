// Bloomery for C, and for every language that can call C.
//
//   bloomery_options options = BLOOMERY_OPTIONS_INIT;
//   options.keys = 1000000;
//   options.fpr = 0.01;
//   bloomery_filter* filter = NULL;
//   if (bloomery_filter_make(&options, &filter, NULL) != BLOOMERY_OK) ...
//   bloomery_filter_insert(filter, "alice", 5);
//   if (bloomery_filter_may_contain(filter, "alice", 5)) ...    possibly present
//   bloomery_filter_free(filter);
//
// C99, and valid C++.  The bytes, the bits and the numbers are those of the C++ library
// and of every port (spec/).  adapters/c/README.md is the guide; the rules that hold
// throughout:
//
// Handles are made by a call that ends in _make, _decode, _load, _open, _copy, ... and
// belong to the caller, who passes each to its own _free once.  Freeing NULL does
// nothing.  If a call fails, the handle it would have made is NULL.
//
// Pointers may be NULL where a comment says so, and where there are no bytes to read (a
// key of size 0, a batch of no keys).  Any other NULL is BLOOMERY_INVALID_ARGUMENT, and
// changes nothing.
//
// Structs begin with their size, and all other fields are zero: use their _INIT macro, or
// bloomery_struct_init.  Fields that a shorter struct of an older caller lacks count as
// zero.  Fields that a longer struct of a newer caller adds must be zero; otherwise the
// call returns BLOOMERY_UNSUPPORTED.  In a struct that the library fills in, fields it
// does not know are set to zero.
//
// Threads: each function says one of
//   may run together with every other call
//   may run together with other reading calls on this filter
//   must run alone on this filter
// where "this filter" is the first handle of the call.  A call with one of the first two
// phrases is a reading call.  On its other handles, if they are const, every call is a
// reading call.  "Every other" excludes calls that must run alone on the same filter.
//
// No exception leaves a call, and a callback must not throw.
#pragma once

#include <bloomery/c/builder.h>
#include <bloomery/c/bytes.h>
#include <bloomery/c/concurrent.h>
#include <bloomery/c/container.h>
#include <bloomery/c/erase.h>
#include <bloomery/c/fields.h>
#include <bloomery/c/filter.h>
#include <bloomery/c/foreign.h>
#include <bloomery/c/hash.h>
#include <bloomery/c/info.h>
#include <bloomery/c/keys.h>
#include <bloomery/c/kinds.h>
#include <bloomery/c/options.h>
#include <bloomery/c/packed.h>
#include <bloomery/c/sizing.h>
#include <bloomery/c/status.h>
#include <bloomery/c/version.h>
#include <bloomery/c/view.h>
