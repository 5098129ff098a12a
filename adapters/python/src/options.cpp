#include "options.hpp"

#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "raise.hpp"

namespace bloomery::py {
namespace {

template <class T>
T value_of(const char* name, const char* type, nb::handle value) {
  T x{};
  if (PyBool_Check(value.ptr()) || !nb::try_cast<T>(value, x)) {
    const std::string text = std::string(name) + ": " + type + " is expected";
    raise_type(text);
  }
  return x;
}

void refuse_negative(nb::handle value) {
  if (!PyLong_Check(value.ptr())) return;
  const nb::int_ zero(0);
  if (PyObject_RichCompareBool(value.ptr(), zero.ptr(), Py_LT) == 1)
    raise_invalid("a count or size cannot be negative");
}

std::uint64_t count_of(const char* name, nb::handle value) {
  refuse_negative(value);
  return value_of<std::uint64_t>(name, "an int", value);
}
unsigned small_count_of(const char* name, nb::handle value) {
  refuse_negative(value);
  return value_of<unsigned>(name, "an int", value);
}
double real_of(const char* name, nb::handle value) {
  return value_of<double>(name, "a float", value);
}
std::string text_of(const char* name, nb::handle value) {
  return value_of<std::string>(name, "a str", value);
}
bool flag_of(const char* name, nb::handle value) {
  if (!PyBool_Check(value.ptr())) {
    const std::string text = std::string(name) + ": True or False is expected";
    raise_type(text);
  }
  return value.is(nb::handle(Py_True));
}

block_profile profile_named(const std::string& name) {
  for (int i = 0; i <= static_cast<int>(block_profile::lanes16); ++i) {
    const auto p = static_cast<block_profile>(i);
    if (name == name_of(p)) return p;
  }
  raise_invalid("profile: no profile of that name");
}

cell_layout layout_named(const std::string& name) {
  if (name == "flat") return cell_layout::flat;
  if (name == "line") return cell_layout::line;
  raise_invalid("layout: 'flat' or 'line'");
}

hash_id hash_named(const std::string& name) {
  for (int i = static_cast<int>(hash_id::xxh3); i <= static_cast<int>(hash_id::siphash13);
       ++i)
    if (name == name_of(static_cast<hash_id>(i))) return static_cast<hash_id>(i);
  raise_invalid("hash: 'xxh3', 'xxh64', 'fnv1a-splitmix' or 'siphash13'");
}

const kind_info* kind_named(const std::string& name) {
  if (const kind_info* const k = find_kind(name)) return k;
  static thread_local std::string text;
  text = "no kind of filter of that name; there are: ";
  for (const kind_info& k : kinds())
    text += std::string(&k == kinds().data() ? "" : ", ") + k.facts.name;
  raise_invalid(text);
}

bool is_given(const nb::kwargs& options, const char* name) {
  return options.contains(name) && !nb::handle(options[name]).is_none();
}

constexpr const char* of_hashers[] = {"hash", "seed", "secret", "source"};

bool is_of_hashers(std::string_view name) {
  return std::ranges::find(of_hashers, name) != std::end(of_hashers);
}

// Options that only some kinds have.
void check_option(const kind_facts& kind, std::string_view name, bool has_it) {
  if (has_it) return;
  static thread_local std::string text;
  text = "a filter of the kind " + std::string(kind.name) + " has no option " +
         std::string(name);
  raise(error{errc::unsupported, text.c_str()});
}

void set_option(filter_request& r, const char* name, nb::handle value) {
  const std::string_view option = name;
  const kind_facts& kind = r.kind->facts;
  size_request& size = r.size;
  if (option == "capacity")
    r.keys = count_of(name, value);
  else if (option == "fpr")
    size.fpr = real_of(name, value);
  else if (option == "bits_per_key")
    size.bits_per_key = real_of(name, value);
  else if (option == "memory")
    size.memory = count_of(name, value);
  else if (option == "units" || option == "hashes") {
    if (!size.exact) size.exact.emplace();
    if (option == "units")
      size.exact->units = count_of(name, value);
    else
      size.exact->hashes = small_count_of(name, value);
  } else if (option == "profile") {
    check_option(kind, option, kind.takes_profile);
    size.profile = profile_named(text_of(name, value));
  } else if (option == "cell_bits") {
    check_option(kind, option,
                 kind.takes_cells || std::string_view(kind.units) == "cells");
    size.cell_bits = small_count_of(name, value);
  } else if (option == "layout") {
    check_option(kind, option, kind.takes_cells);
    size.cells = layout_named(text_of(name, value));
  } else if (option == "arity") {
    check_option(kind, option, kind.takes_arity);
    size.arity = small_count_of(name, value);
  } else if (option == "ribbon_width") {
    check_option(kind, option, kind.takes_ribbon_width);
    size.ribbon_width = small_count_of(name, value);
  } else if (option == "max_growth") {
    check_option(kind, option, kind.takes_growth);
    size.growth.max_growth = real_of(name, value);
  } else if (option == "growth") {
    check_option(kind, option, kind.takes_growth);
    size.growth.growth = small_count_of(name, value);
  } else if (option == "dynamic") {
    check_option(kind, option, kind.takes_growth);
    size.growth.dynamic = flag_of(name, value);
  } else if (option == "generations") {
    check_option(kind, option, kind.takes_generations);
    size.generations = small_count_of(name, value);
  } else if (option == "foldable")
    size.foldable = flag_of(name, value);
  else if (option == "force")
    size.force = flag_of(name, value);
  else if (option == "identity")
    size.identity = count_of(name, value);
  else {
    const std::string text = "there is no option '" + std::string(option) + "'";
    raise_type(text);
  }
}

// At most one rule; a kind that forgets may have a rate and memory.
void check_rules(const filter_request& r) {
  const size_request& s = r.size;
  const int rules = s.fpr.has_value() + s.bits_per_key.has_value() +
                    s.memory.has_value() + s.exact.has_value();
  if (rules <= 1) return;
  if (r.kind->facts.takes_rate_and_memory && rules == 2 && s.fpr && s.memory) return;
  raise_invalid("sized by one rule: fpr, bits_per_key, memory, or units and hashes");
}

}  // namespace

any_filter filter_request::make() const { return must(kind->make(keys, size, hash)); }

hasher::secret secret_of(nb::handle bytes) {
  char* data;
  Py_ssize_t size;
  if (!PyBytes_Check(bytes.ptr()) ||
      PyBytes_AsStringAndSize(bytes.ptr(), &data, &size) != 0 || size != 16) {
    PyErr_Clear();
    raise_invalid("a secret is 16 bytes: bloomery.random_secret() makes one");
  }
  hasher::secret s;
  std::memcpy(s.data(), data, s.size());
  return s;
}

key_source source_named(nb::handle name) {
  const auto found = find_key_source(text_of("source", name));
  if (!found)
    raise_invalid("source: 'bytes', 'integers' or 'hashes' (key_source.hpp has more)");
  return *found;
}

hasher hasher_of(const nb::kwargs& options, const hasher& fallback, key_source source) {
  if (is_given(options, "source")) source = source_named(options["source"]);
  const bool has_secret = is_given(options, "secret");
  hash_id id = fallback.id();
  if (is_given(options, "hash"))
    id = hash_named(text_of("hash", options["hash"]));
  else if (has_secret)
    id = hash_id::siphash13;
  const std::uint64_t seed =
      is_given(options, "seed") ? count_of("seed", options["seed"]) : 0;
  if (has_secret && id != hash_id::siphash13)
    raise_invalid("a secret for a hash that takes none");
  if (seed != 0 && id != hash_id::xxh3 && id != hash_id::xxh64)
    raise_invalid("a seed for a hash that takes none");
  switch (id) {
    case hash_id::xxh3:
      return hasher::xxh3(seed).of(source);
    case hash_id::fnv1a_splitmix:
      return hasher::fnv1a_splitmix().of(source);
    case hash_id::xxh64:
      return hasher::xxh64(seed).of(source);
    default:
      break;
  }
  if (!has_secret) raise_invalid("siphash13 needs a secret: bloomery.random_secret()");
  return hasher::siphash13(secret_of(options["secret"])).of(source);
}

filter_request request_of(const nb::kwargs& options, key_source default_source) {
  const kind_info* kind = &kinds().front();
  if (is_given(options, "kind")) kind = kind_named(text_of("kind", options["kind"]));
  const hasher own = kind->facts.hasher();
  filter_request r{kind, 0, {}, hasher_of(options, own, default_source)};
  if (!kind->facts.takes_hasher && r.hash.of(key_source::bytes) != own)
    raise(error{errc::unsupported, "the kind has a fixed hash, and accepts no other"});
  for (const auto& [name, value] : options) {
    const char* const text = nb::str(name).c_str();
    if (std::string_view(text) == "kind" || is_of_hashers(text) || value.is_none())
      continue;
    set_option(r, text, value);
  }
  check_rules(r);
  return r;
}

reading::reading(nb::handle secret_bytes, nb::handle source, nb::handle max_bytes) {
  if (!secret_bytes.is_none()) secret = secret_of(secret_bytes);
  options.secret = secret ? &*secret : nullptr;
  options.source.reset();
  if (!source.is_none()) options.source = source_named(source);
  if (!max_bytes.is_none()) options.max_bytes = count_of("max_bytes", max_bytes);
}

std::string path_of(nb::handle path) {
  PyObject* bytes = nullptr;
  if (PyUnicode_FSConverter(path.ptr(), &bytes) == 0) throw nb::python_error();
  const nb::object held = nb::steal(bytes);
  char* data;
  Py_ssize_t size;
  if (PyBytes_AsStringAndSize(bytes, &data, &size) != 0) throw nb::python_error();
  return {data, static_cast<std::size_t>(size)};
}

}  // namespace bloomery::py
