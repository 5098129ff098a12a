#include "machine.hpp"

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

std::string machine::run(const line& l) {
  const std::string& verb = l.word(0);
  if (verb == "insert" || verb == "insert-batch") return insert(l, verb != "insert");
  if (verb == "query" || verb == "query-batch") return query(l, verb != "query");
  static const std::map<std::string, std::string (machine::*)(const line&)> verbs{
      {"hash", &machine::hash},     {"check", &machine::check},
      {"size", &machine::size},     {"promise", &machine::promise},
      {"make", &machine::make},     {"count", &machine::count},
      {"info", &machine::info},     {"rate", &machine::rate},
      {"expect", &machine::expect}, {"merge", &machine::merge},
      {"fold", &machine::fold},     {"clear", &machine::clear},
      {"equal", &machine::equal},   {"encode", &machine::encode},
      {"bytes", &machine::bytes},   {"show", &machine::show},
      {"flip", &machine::flip},     {"put", &machine::put},
      {"cut", &machine::cut},       {"add", &machine::add},
      {"write", &machine::write},   {"read", &machine::read},
      {"decode", &machine::decode}, {"inspect", &machine::inspect},
  };
  const auto at = verbs.find(verb);
  if (at == verbs.end()) throw bad_script("no such verb: " + verb);
  return (this->*at->second)(l);
}

any_filter& machine::own_filter(const std::string& name) {
  const auto at = filters_.find(name);
  if (at == filters_.end() || !std::holds_alternative<any_filter>(at->second))
    throw bad_script("no filter of our own: " + name);
  return std::get<any_filter>(at->second);
}

std::string& machine::bytes_of(const std::string& name) {
  const auto at = bytes_.find(name);
  if (at == bytes_.end()) throw bad_script("no bytes: " + name);
  return at->second;
}

std::span<const std::byte> machine::view_of(const std::string& name) {
  return std::as_bytes(std::span(bytes_of(name)));
}

}  // namespace bloomery::conform
