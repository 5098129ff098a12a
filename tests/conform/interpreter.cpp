#include "interpreter.hpp"

#include <cmath>
#include <cstdio>

#include "must.hpp"

namespace bloomery::conform {

std::string shown(const error& e) { return std::string("error ") + name_of(e.code); }
std::string shown_at(const error& e) { return shown(e) + " at=" + std::to_string(e.at); }
std::string shown(double rate) {
  if (std::isinf(rate)) return "inf";
  char text[32];
  std::snprintf(text, sizeof text, "%.3e", rate);
  return text;
}

std::string interpreter::run(const line& l) {
  const std::string& verb = l.word(0);
  if (verb == "insert" || verb == "insert-batch") return insert(l, verb != "insert");
  if (verb == "query" || verb == "query-batch") return query(l, verb != "query");
  static const std::map<std::string, std::string (interpreter::*)(const line&)> verbs{
      {"hash", &interpreter::hash},       {"check", &interpreter::check},
      {"size", &interpreter::size},       {"promise", &interpreter::promise},
      {"make", &interpreter::make},       {"count", &interpreter::count},
      {"info", &interpreter::info},       {"source", &interpreter::source},
      {"rate", &interpreter::rate},       {"expect", &interpreter::expect},
      {"merge", &interpreter::merge},     {"fold", &interpreter::fold},
      {"clear", &interpreter::clear},     {"equal", &interpreter::equal},
      {"encode", &interpreter::encode},   {"bytes", &interpreter::bytes},
      {"show", &interpreter::show},       {"flip", &interpreter::flip},
      {"put", &interpreter::put},         {"cut", &interpreter::cut},
      {"add", &interpreter::add},         {"write", &interpreter::write},
      {"read", &interpreter::read},       {"decode", &interpreter::decode},
      {"inspect", &interpreter::inspect},
  };
  const auto at = verbs.find(verb);
  if (at == verbs.end()) throw bad_script("no such verb: " + verb);
  return (this->*at->second)(l);
}

any_filter& interpreter::own_filter(const std::string& name) {
  const auto at = filters_.find(name);
  if (at == filters_.end() || !std::holds_alternative<any_filter>(at->second))
    throw bad_script("no filter of our own: " + name);
  return std::get<any_filter>(at->second);
}

std::string& interpreter::bytes_of(const std::string& name) {
  const auto at = bytes_.find(name);
  if (at == bytes_.end()) throw bad_script("no bytes: " + name);
  return at->second;
}

std::span<const std::byte> interpreter::view_of(const std::string& name) {
  return std::as_bytes(std::span(bytes_of(name)));
}

}  // namespace bloomery::conform
