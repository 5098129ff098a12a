// Bloomery for C, and for every language that can call C.
//
//   bloomery_options options = BLOOMERY_OPTIONS_INIT;
//   options.keys = 1000000;
//   options.fpr = 0.01;
//   bloomery_filter* filter = NULL;
//   if (bloomery_filter_make(&options, &filter, NULL) != BLOOMERY_OK) ...
//   bloomery_filter_insert(filter, "alice", 5);
//   if (bloomery_filter_may_contain(filter, "alice", 5)) ...    perhaps
//   bloomery_filter_free(filter);
//
// C99, and valid C++.  The bytes, the bits and the numbers are those of the C++ library
// and of every port (spec/).  adapters/c/README.md is the guide; the rules that hold
// throughout:
//
// Handles are made by a call that ends in _make, _decode, _load, _open, _copy, ... and
// belong to the caller, who gives each to its own _free once.  Freeing NULL does nothing.
// Where a call fails, the handle it would have made is NULL.
//
// Pointers may be NULL where a comment says so, and where they lead to no bytes (a key of
// size 0, a batch of no keys).  Any other NULL is BLOOMERY_INVALID_ARGUMENT, and changes
// nothing.
//
// Structs begin with their size and are all zero but for it: their _INIT macro, or
// bloomery_struct_init.  What a shorter struct of an older caller does not have counts as
// zero; what a longer one of a newer caller has beyond ours must be zero, or is refused
// as BLOOMERY_UNSUPPORTED.  In a struct that we fill in, what we do not know is set to
// zero.
//
// Threads: each function says one of
//   may run together with every other call
//   may run together with other reading calls on this filter
//   must run alone on this filter
// where "this filter" is the handle that comes first.  A call that says one of the first
// two is a reading call; on handles beside the first that are const every call is one.
// "Every other" excepts those that must run alone on the same filter.
//
// No exception leaves a call, and none may come out of a callback.
#pragma once

#include <bloomery/c/builder.h>
#include <bloomery/c/bytes.h>
#include <bloomery/c/concurrent.h>
#include <bloomery/c/container.h>
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
