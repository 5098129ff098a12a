#include "options.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
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

// An int that is a count, but too large for one: the type is right.
void refuse_large(const char* name, nb::handle value, unsigned bits) {
  if (!PyLong_Check(value.ptr()) || PyBool_Check(value.ptr())) return;
  if (nb::cast<std::uint64_t>(value.attr("bit_length")()) > bits)
    raise_invalid(std::string(name) + ": below 2**" + std::to_string(bits));
}

unsigned small_count_of(const char* name, nb::handle value) {
  refuse_negative(value);
  refuse_large(name, value, 32);
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

// What every kind has: of its hasher, and the rules of its size.
constexpr const char* of_hashers[] = {"hash", "seed", "secret", "source"};
constexpr const char* of_sizes[] = {"capacity", "fpr",    "bits_per_key", "memory",
                                    "units",    "hashes", "force"};

bool is_of_hashers(std::string_view name) {
  return std::ranges::find(of_hashers, name) != std::end(of_hashers);
}

// False: no such rule.
bool set_size(filter_request& r, const char* name, nb::handle value) {
  const std::string_view rule = name;
  size_request& size = r.size;
  if (rule == "capacity")
    r.keys = count_of(name, value);
  else if (rule == "fpr")
    size.fpr = real_of(name, value);
  else if (rule == "bits_per_key")
    size.bits_per_key = real_of(name, value);
  else if (rule == "memory")
    size.memory = count_of(name, value);
  else if (rule == "units" || rule == "hashes") {
    if (!size.exact) size.exact.emplace();
    if (rule == "units")
      size.exact->units = count_of(name, value);
    else
      size.exact->hashes = small_count_of(name, value);
  } else if (rule == "force")
    size.force = flag_of(name, value);
  else
    return false;
  return true;
}

// Every value it can have is of 32 bits.
bool is_small(const kind_option& o) {
  if (o.choices.empty()) return o.max < 0x1p32;
  return std::ranges::all_of(o.choices,
                             [](const option_choice& c) { return c.value < 1ull << 32; });
}

// Sets an option of a kind; the library checks its value.
result<void> set_kind_option(size_request& size, const kind_option& o, nb::handle value) {
  switch (o.type) {
    case option_type::count:
      return bloomery::set_option(
          size, o.name,
          is_small(o) ? small_count_of(o.name, value) : count_of(o.name, value));
    case option_type::real:
      return bloomery::set_option(size, o.name, real_of(o.name, value));
    case option_type::flag:
      return bloomery::set_option(size, o.name, flag_of(o.name, value));
    case option_type::name:
      break;
  }
  return bloomery::set_option(size, o.name, text_of(o.name, value).c_str());
}

[[noreturn]] void refuse_name(const char* name) {
  std::string text = "there is no option '" + std::string(name) + "'; there are: kind";
  for (const char* const other : of_sizes) text += std::string(", ") + other;
  for (const char* const other : of_hashers) text += std::string(", ") + other;
  for (const kind_info& k : kinds())
    for (const kind_option& o : k.options)
      if (find_option(o.name) == &o) text += std::string(", ") + o.name;
  raise_type(text);
}

void set_option(filter_request& r, const char* name, nb::handle value) {
  if (set_size(r, name, value)) return;
  const kind_option* const o = find_option(name);
  if (o == nullptr) refuse_name(name);
  // A name that is none of the choices is a wrong argument, whatever the kind says of
  // choices that it lacks.
  if (auto done = set_kind_option(r.size, *o, value); !done) {
    error e = done.error();
    e.code = errc::invalid_argument;
    raise(e);
  }
}

// At most one rule; a kind that forgets may have a rate and memory.
void check_rules(const filter_request& r) {
  const size_request& s = r.size;
  const int rules = s.fpr.has_value() + s.bits_per_key.has_value() +
                    s.memory.has_value() + s.exact.has_value();
  if (rules <= 1) return;
  if (r.kind->facts.rate_beside_size && rules == 2 && s.fpr && s.memory) return;
  raise_invalid("sized by one rule: fpr, bits_per_key, memory, or units and hashes");
}

}  // namespace

std::uint64_t count_of(const char* name, nb::handle value) {
  refuse_negative(value);
  refuse_large(name, value, 64);
  return value_of<std::uint64_t>(name, "an int", value);
}

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
  if (!kind->facts.any_hasher && r.hash.of(key_source::bytes) != own)
    raise(error{errc::unsupported, "the kind has a fixed hash, and accepts no other"});
  for (const auto& [name, value] : options) {
    const char* const text = nb::str(name).c_str();
    if (std::string_view(text) == "kind" || is_of_hashers(text) || value.is_none())
      continue;
    set_option(r, text, value);
  }
  must(check_options(*kind, r.size.options));
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

std::string absolute_path(nb::handle path) {
  const std::string given = path_of(path);
  std::error_code failed;
  const auto made = std::filesystem::absolute(given, failed);
  return failed ? given : made.string();
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
