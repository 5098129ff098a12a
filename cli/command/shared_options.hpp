// Options that several commands take, defined once.
#pragma once

#include <string>
#include <vector>

#include "command/command_line.hpp"
#include "files/read_request.hpp"
#include "keys/record_format.hpp"

namespace bloomery::cli {

// -o
void add_output_option(command& c, std::string& out);

// --seed
void add_seed_option(command& c, read_request& r, const std::string& help);

// --variant, --hashes and --bits: parameters that the bytes of some dialects lack.
void add_shape_options(command& c, read_request& r);

// --key-type
void add_key_type_option(command& c, read_request& r);

// All options of reading a filter, with --dialect under the names `dialect_option`.
void add_read_options(command& c, read_request& r,
                      const std::string& dialect_option = "--dialect");

// How keys are written: -0 and --hex, -F and what a column takes, -z, --encoding, --crlf
// and --as-is.
void add_record_options(command& c, record_format& format);

// -k
void add_key_option(command& c, std::vector<std::string>& keys);

// --fpr
option add_rate_option(command& c, double& fpr, const std::string& help);

// --allow-empty.  Without it an input that has no keys is refused.
void add_empty_option(command& c, record_format& format);

}  // namespace bloomery::cli
