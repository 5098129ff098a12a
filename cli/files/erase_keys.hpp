// Keys deleted from a filter file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "files/updated_file.hpp"
#include "keys/record_format.hpp"

namespace bloomery::cli {

struct erased_keys {
  std::uint64_t read = 0;
  std::uint64_t erased = 0;
  std::uint64_t erased_before = 0;  // by the same receipts
  std::uint64_t expired = 0;        // receipts that cannot be used from now on

  std::uint64_t not_present() const { return read - erased - erased_before; }
};

// Refuses a filter that cannot delete keys, naming the kinds that can.  Throws failure.
void check_erasable(loaded_filter& f);

// One copy of each key that tests positive, in memory only.  Throws failure.
// REQUIRES: check_erasable has passed
erased_keys erase_keys(updated_file& from, const std::vector<std::string>& files,
                       const record_format& format, bool quiet);

// The copies that the receipts are for, in memory only.  Receipts that were used before
// are counted, and change nothing.  Throws failure: a line that is no receipt, or one of
// another filter.
erased_keys erase_receipts(updated_file& from, const std::string& file,
                           const record_format& format, bool quiet);

}  // namespace bloomery::cli
