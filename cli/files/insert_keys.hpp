// Keys of files into a filter that is there already.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "files/doubling.hpp"
#include "files/receipt_file.hpp"
#include "files/updated_file.hpp"
#include "keys/record_format.hpp"

namespace bloomery::cli {

struct inserted_keys {
  std::uint64_t read = 0;
  std::uint64_t fresh = 0;  // definitely not present before; of equal keys the first
};

// Refuses a filter that keys cannot be added to, or that issues no receipts.
// Throws failure.
void check_insertable(loaded_filter& f, bool with_receipts);

// In memory only.  In kinds that erase keys, each key is one more copy.  `receipts`, if
// not null, gets the receipts.  A full filter is doubled, where it can be.  Throws
// failure: a key is refused, where the kind can be full.
// REQUIRES: check_insertable has passed
inserted_keys insert_keys(updated_file& to, const std::vector<std::string>& files,
                          const record_format& format, receipt_writer* receipts,
                          doubling& growth, bool quiet);

}  // namespace bloomery::cli
