// bloomery man -- the manual page, made from the definitions of the commands.
#include <fmt/core.h>

#include <algorithm>

#include <bloomery/version.hpp>

#include "command/commands.hpp"
#include "text/output.hpp"

namespace bloomery::cli {
namespace {

// A line of text as troff wants it: no command at its start, hyphens that are hyphens.
std::string troff(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((text[i] == '.' || text[i] == '\'') && (i == 0 || text[i - 1] == '\n'))
      out += "\\&";
    if (text[i] == '\\')
      out += "\\e";
    else if (text[i] == '-')
      out += "\\-";
    else
      out += text[i];
  }
  return out;
}

std::string option_entry(const option_definition& o) {
  std::string head;
  for (const std::string& name : o.names)
    head += fmt::format("{}\\fB{}\\fR", head.empty() ? "" : ", ", troff(name));
  if (!o.value.empty())
    head += fmt::format("{}\\fI{}\\fR", head.empty() ? "" : " ", troff(o.value));
  return fmt::format(".TP\n{}\n{}\n", head, troff(o.help));
}

std::string command_section(const command_definition& c) {
  std::string text = fmt::format(".SS \"{}\"\n{}.\n", c.name, troff(c.help));
  for (const option_definition& o : c.options) text += option_entry(o);
  if (!c.footer.empty()) text += fmt::format(".PP\n.nf\n{}\n.fi\n", troff(c.footer));
  return text;
}

exit_status man(const command_line& tool) {
  output out;
  out.write(
      fmt::format(".TH BLOOMERY 1 \"\" \"bloomery {}\" \"User Commands\"\n"
                  ".SH NAME\nbloomery \\- {}\n"
                  ".SH SYNOPSIS\n.B bloomery\n.I COMMAND\n[\\fIOPTION\\fR]...\n"
                  ".SH COMMANDS\n",
                  BLOOMERY_VERSION_STRING, troff(tool.help())));
  for (const command_definition& c : tool.commands()) out.write(command_section(c));
  out.write(".SH EXIT STATUS\n0 for yes, 1 for no, 2 for an error, as grep's.\n");
  out.flush();
  return yes;
}

}  // namespace

void add_man(command_line& tool) {
  command c = tool.add("man", "Print the manual page (troff)");
  c.footer("Examples:\n  bloomery man | man -l -");
  c.run([&tool] { return man(tool); });
}

}  // namespace bloomery::cli
