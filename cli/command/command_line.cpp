#include "command/command_line.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <utility>

#include "command/raw_arguments.hpp"
#include "command/suggestion.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

// Lines of at most `width`, broken at blanks.
std::string wrapped(std::string text, std::size_t width) {
  for (std::size_t line = 0; text.size() - line > width;) {
    const std::size_t blank = text.rfind(' ', line + width);
    if (blank == std::string::npos || blank <= line) break;
    text[blank] = '\n';
    line = blank + 1;
  }
  return text;
}

// The layout of --help: as CLI11's, but an option shows its value and nothing else, and
// descriptions are wrapped.  Which options exclude each other is reported when it
// happens.
class plain_help : public CLI::Formatter {
 public:
  plain_help() { column_width(indent); }

  std::string make_option_desc(const CLI::Option* o) const override {
    return wrapped(CLI::Formatter::make_option_desc(o), columns - indent);
  }

  std::string make_option_opts(const CLI::Option* o) const override {
    if (o->get_positional() || o->get_type_size() == 0) return "";
    return " " + o->get_type_name() + (o->get_required() ? " (required)" : "");
  }

 private:
  static constexpr std::size_t indent = 28, columns = 92;
};

// Removes the marks from the values of every option of `app`, and refuses blank values:
// CLI11 takes one for none given.  A positional argument may be the empty key, and a
// delimiter a space or TAB.
void check_values(CLI::App& app) {
  for (CLI::Option* o : app.get_options()) {
    const bool may_be_blank = o->get_positional() || o->check_sname("k");
    const char* const blanks = o->check_lname("delimiter") ? "" : " \t\n\v\f\r";
    const CLI::Validator check(
        [may_be_blank, blanks](std::string& value) {
          value = raw_value(std::move(value));
          const bool is_blank = value.find_first_not_of(blanks) == std::string::npos;
          return std::string(is_blank && !may_be_blank ? "the value is blank" : "");
        },
        "");
    if (o->get_type_size() != 0) o->transform(check);
  }
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string unknown_command(const CLI::App& app, const std::string& typed) {
  std::vector<std::string> names;
  for (const CLI::App* sub : commands_of(app)) names.push_back(sub->get_name());
  return "unknown command '" + typed + "'" + did_you_mean(typed, names);
}

std::vector<std::string> names_of(const CLI::Option& o) {
  std::vector<std::string> names;
  for (const std::string& name : o.get_snames()) names.push_back("-" + name);
  for (const std::string& name : o.get_lnames()) names.push_back("--" + name);
  return names;
}

// An argument that no option and no positional takes.
std::string unknown_argument(const CLI::App& command, const std::string& argument) {
  const std::string typed = raw_value(argument.substr(0, argument.find('=')));
  if (!typed.starts_with('-')) return "unexpected argument '" + typed + "'";
  std::vector<std::string> names;
  for (const CLI::Option* o : command.get_options())
    for (std::string& name : names_of(*o))
      if (name.starts_with("--")) names.push_back(std::move(name));
  const std::string advice = did_you_mean(typed, names);
  return "unknown option '" + typed + "'" +
         (advice.empty() ? "; if it is no option, put it after --" : advice);
}

// An unknown option is a better reason than what is missing because of it.
std::string reason_of(const CLI::App& app, const CLI::ParseError& e) {
  const auto chosen = app.get_subcommands();
  if (chosen.empty()) return e.what();
  const auto extras = app.remaining(true);
  const auto option = std::ranges::find_if(
      extras, [](const std::string& text) { return text.starts_with('-'); });
  if (option != extras.end()) return unknown_argument(*chosen.front(), *option);
  const bool is_extra = dynamic_cast<const CLI::ExtrasError*>(&e) != nullptr;
  return is_extra && !extras.empty() ? unknown_argument(*chosen.front(), extras.front())
                                     : e.what();
}

// Usage errors, CLI11's and ours, on one line.
exit_status refuse(const CLI::App& app, const std::string& first, std::string what) {
  std::string name = "bloomery";
  for (const CLI::App* sub : app.get_subcommands()) name += " " + sub->get_name();
  if (app.get_subcommands().empty() && !first.empty() && first.front() != '-')
    what = unknown_command(app, first);
  for (char& c : what)
    if (c == '\n') c = ' ';
  const bool is_question = what.ends_with('?');
  say(name + ": " + one_line(what) + (is_question ? " See '" : "; see '") + name +
      " --help'\n");
  return trouble;
}

option_definition definition_of(const CLI::Option& o, const option_values& offered) {
  option_definition d;
  d.names = names_of(o);
  if (o.get_type_size() != 0) d.value = o.get_type_name();
  d.help = o.get_description();
  if (const auto found = offered.find(&o); found != offered.end())
    d.values = found->second;
  return d;
}

}  // namespace

// --- option ---

option& option::required() {
  option_->required();
  return *this;
}

option& option::excludes(const option& other) {
  option_->excludes(other.option_);
  return *this;
}

option& option::needs(const option& other) {
  option_->needs(other.option_);
  return *this;
}

option& option::one_value() {
  option_->allow_extra_args(false);
  return *this;
}

option& option::offers(std::vector<std::string> values) {
  (*offered_)[option_] = std::move(values);
  return *this;
}

bool option::is_given() const { return option_->count() != 0; }

// --- command ---

option command::add(const std::string& names, const char* value, std::string& to,
                    const std::string& help) {
  return handle(app_->add_option(names, to, help)->type_name(value));
}

option command::add(const std::string& names, const char* value,
                    std::vector<std::string>& to, const std::string& help) {
  return handle(app_->add_option(names, to, help)->type_name(value));
}

option command::add(const std::string& names, const char* value, double& to,
                    const std::string& help) {
  return handle(app_->add_option(names, to, help)->type_name(value));
}

option command::add(const std::string& names, const char* value,
                    std::optional<double>& to, const std::string& help) {
  return handle(app_->add_option(names, to, help)->type_name(value));
}

option command::add(const std::string& names, const char* value, text_action take,
                    const std::string& help) {
  const auto checked = [names, take = std::move(take)](const std::string& text) {
    try {
      take(text);
    } catch (const usage_error& e) {
      throw CLI::ValidationError(names, e.what());
    }
  };
  return handle(
      app_->add_option_function<std::string>(names, checked, help)->type_name(value));
}

option command::add(const std::string& names, const char* value, unsigned& to,
                    unsigned min, unsigned max, const std::string& help) {
  return handle(app_->add_option(names, to, help)
                    ->check(CLI::Range(min, max).description(""))
                    ->type_name(value));
}

option command::add(const std::string& names, const char* value, std::string& to,
                    const std::vector<std::string>& choices, const std::string& help) {
  return handle(app_->add_option(names, to, help)
                    ->check(CLI::IsMember(choices).description(""))
                    ->type_name(value))
      .offers(choices);
}

option command::add_flag(const std::string& names, bool& to, const std::string& help) {
  return handle(app_->add_flag(names, to, help));
}

option command::add_switch(const std::string& names, std::function<void()> set,
                           const std::string& help) {
  return handle(app_->add_flag_callback(names, std::move(set), help));
}

void command::footer(const std::string& text) { app_->footer(text); }

void command::run(action work) {
  app_->callback([chosen = chosen_, work = std::move(work)] { *chosen = work; });
}

// --- command_line ---

command_line::command_line(const std::string& name, const std::string& help,
                           const std::string& version, const std::string& footer)
    : help_(help), app_(std::make_unique<CLI::App>(help, name)) {
  app_->set_version_flag("-V,--version", version);
  app_->require_subcommand(1);
  app_->formatter(std::make_shared<plain_help>());
  app_->footer(footer);
}

command_line::~command_line() = default;

command command_line::add(const std::string& name, const std::string& help) {
  return {app_->add_subcommand(name, help), chosen_, offered_};
}

exit_status command_line::run(int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "";
  for (CLI::App* sub : app_->get_subcommands([](CLI::App*) { return true; }))
    check_values(*sub);
  try {
    app_->parse(raw_arguments(argc, argv));
    return chosen_();
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() != 0) return refuse(*app_, first, reason_of(*app_, e));
    app_->exit(e);  // prints the help or the version
    std::cout.flush();
    return std::cout ? yes : trouble;
  } catch (const usage_error& e) {
    return refuse(*app_, first, e.what());
  }
}

std::string command_line::help_of(const std::string& command) const {
  const CLI::App& app = *app_;
  // App::help would explain the command that was given: this one.
  if (command.empty())
    return app.get_formatter()->make_help(&app, app.get_name(),
                                          CLI::AppFormatMode::Normal);
  for (const CLI::App* sub : commands_of(app))
    if (sub->get_name() == command) return sub->help("bloomery");
  throw usage_error(unknown_command(app, command));
}

std::vector<command_definition> command_line::commands() const {
  std::vector<command_definition> all;
  for (const CLI::App* sub : commands_of(*app_)) {
    command_definition c{sub->get_name(), sub->get_description(), sub->get_footer(), {}};
    for (const CLI::Option* o : sub->get_options())
      c.options.push_back(definition_of(*o, offered_));
    all.push_back(std::move(c));
  }
  return all;
}

}  // namespace bloomery::cli
