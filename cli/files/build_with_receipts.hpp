// A filter built with a receipt of each key: build --receipts.
#pragma once

#include "files/build_filter.hpp"
#include "files/receipt_file.hpp"

namespace bloomery::cli {

// Refuses, before keys are read, a kind that issues none, and options that do not go
// together.  Throws failure.
void check_receipts(const kind_info& what, const build_options& o);

// Each distinct key once, in the order in which they come first; `receipts` has a receipt
// of each, and nothing is written yet.  Keeps the rows of the keys in memory, and 16
// bytes per key.  Throws failure.
built_filter build_with_receipts(const kind_info& what, const hasher& hash,
                                 const build_options& o, receipt_writer& receipts);

}  // namespace bloomery::cli
