// What a command with --json says of the filter that it has written: what `info --json`
// says of the file.
#pragma once

#include <string>
#include <variant>

#include <bloomery/any_filter.hpp>
#include <bloomery/foreign_filter.hpp>

#include "files/dialects.hpp"
#include "text/json.hpp"

namespace bloomery::cli {

// Such a report has standard output for itself.  Throws usage_error.
void check_report_output(const std::string& out, bool as_json);

// Reads the file again, with its checksums.  `more`: what the command alone knows.
// Throws failure.
void print_container_report(const std::string& path, const std::string& secret_file,
                            const json::members& more = {});
// Bytes without a container do not say what they are: by the filter.
void print_bare_report(const std::string& path, const dialect& how,
                       std::variant<any_filter, foreign_filter> filter,
                       const json::members& more = {});

}  // namespace bloomery::cli
