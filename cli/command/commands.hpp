// The commands.  Each function adds one to the command line.
#pragma once

#include "command/command_line.hpp"

namespace bloomery::cli {

void add_build(command_line& tool);
void add_insert(command_line& tool);
void add_erase(command_line& tool);
void add_dedup(command_line& tool);
void add_query(command_line& tool);
void add_info(command_line& tool);
void add_list(command_line& tool);
void add_verify(command_line& tool);
void add_merge(command_line& tool);
void add_convert(command_line& tool);
void add_kinds(command_line& tool);
void add_formats(command_line& tool);
void add_bench(command_line& tool);
void add_completion(command_line& tool);
void add_man(command_line& tool);
void add_help(command_line& tool);
void add_version(command_line& tool);

}  // namespace bloomery::cli
