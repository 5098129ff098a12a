// Options of kinds as they are written on the command line.
#pragma once

#include <string>

#include <bloomery/kinds.hpp>

namespace bloomery::cli {

// "--ribbon-width"
std::string option_name(const kind_option& o);
// "--ribbon-width 128"
std::string setting_text(const option_setting& s);

// All of them, separated by blanks; "" if there are none.
std::string settings_text(const option_settings& options);

// Throws failure with the library's sentence, after the option that is at fault.
void check_kind_options(const kind_info& what, const option_settings& options);

}  // namespace bloomery::cli
