#include "packed.hpp"

#include <concepts>
#include <string>
#include <utility>
#include <vector>

#include <bloomery/packed_set.hpp>

#include "answers.hpp"
#include "facts.hpp"
#include "filter.hpp"
#include "key_calls.hpp"
#include "one_key.hpp"
#include "sharding.hpp"
#include "watched_file.hpp"
#include "without_gil.hpp"

namespace bloomery::py {
namespace {

struct packed_object {
  watched_file<packed_set> file;
  const packed_set& set;
  hasher hash;
  mutable turns access{};  // readers only

  explicit packed_object(watched_file<packed_set> f)
      : file(std::move(f)), set(*file), hash(set.hasher()) {}
  // Queries a sharded set.
  void ask(std::span<const key> ks, std::span<bool> out) const noexcept {
    for (std::size_t i = 0; i < ks.size(); ++i)
      out[i] = set.may_contain(shard_of(ks[i], set.size()), ks[i]);
  }
};

key key_for(const packed_object& p, nb::handle o) {
  key k;
  if (!hash_key(p.hash, o.ptr(), k)) throw nb::python_error();
  return k;
}

std::uint64_t member(const packed_object& p, std::uint64_t i) {
  if (i >= p.set.size()) throw nb::index_error("the set has fewer members");
  return i;
}

// The members that may contain the key.
nb::list members_with(const packed_object& p, nb::handle o) {
  const key k = key_for(p, o);
  std::vector<std::uint64_t> words((p.set.size() + 63) / 64);
  without_gil([&] { return p.set.may_contain(0, p.set.size(), k, words), 0; });
  p.file.check();
  nb::list found;
  for (std::uint64_t i = 0; i < p.set.size(); ++i)
    if ((words[i / 64] >> (i % 64) & 1) != 0) found.append(i);
  return found;
}

// The one call of the writer for each kind that a set can have.
result<void> add_to(packed_writer& w, const any_filter& f) {
  return f.visit([&]<class F>(const F& member) -> result<void> {
    if constexpr (packable<F>)
      return w.add(member);
    else
      return error{errc::unsupported,
                   "members are block filters, or filters that are only built"};
  });
}

}  // namespace

void bind_packed(nb::module_& m) {
  auto c = nb::class_<packed_object>(m, "PackedSet", nb::is_weak_referenceable());
  c.def(
       "__init__",
       [](packed_object* self, nb::handle path, nb::handle secret, nb::handle source,
          nb::handle copy) {
         reading how(secret, source, nb::none());
         how.options.copy_up_to = copied_up_to(copy);
         new (self) packed_object(watched_file<packed_set>::open(
             absolute_path(path), [&](const input_file& file) {
               return packed_set::open(file, how.options);
             }));
       },
       nb::arg("path").none(), nb::kw_only(), nb::arg("secret") = nb::none(),
       nb::arg("source") = nb::none(), nb::arg("copy") = nb::none())
      .def("__len__", [](const packed_object& p) { return p.set.size(); })
      .def(
          "may_contain",
          [](const packed_object& p, std::uint64_t i, nb::handle o) {
            const bool found = p.set.may_contain(member(p, i), key_for(p, o));
            p.file.check();
            return found;
          },
          nb::arg("member"), nb::arg("key").none())
      .def("members_with", &members_with, nb::arg("key").none())
      .def(
          "may_contain_sharded",
          [](packed_object& p, nb::handle keys) { return as_array(ask_all(p, keys)); },
          nb::arg("keys").none())
      .def(
          "may_contain_sharded_arrow",
          [](packed_object& p, nb::handle keys) { return ask_all(p, keys); },
          nb::arg("keys").none())
      .def(
          "member_bytes",
          [](const packed_object& p, std::uint64_t i) {
            const std::uint64_t bytes = p.set.member_bytes(member(p, i));
            p.file.check();
            return bytes;
          },
          nb::arg("member"))
      .def("verify",
           [](const packed_object& p) {
             const auto damaged = without_gil([&] { return p.set.verify_all(); });
             p.file.check();
             return damaged;
           })
      .def_prop_ro("damaged_chunks",
                   [](const packed_object& p) { return p.set.damaged_chunks(); })
      .def_prop_ro("kind",
                   [](const packed_object& p) { return name_of(p.set.facts().member); })
      .def("__repr__", [](const packed_object& p) {
        return "<bloomery.PackedSet: " + std::to_string(p.set.size()) + " " +
               name_of(p.set.facts().member) + " filters, keys are " +
               name_of(p.hash.source()) + ">";
      });
  bind_facts(c);

  m.def(
      "shards_of",
      [](nb::handle hashes, std::uint64_t shards) {
        if (shards == 0) raise_invalid("shards: at least one");
        return hash_all(hasher::xxh3().of(key_source::hashes), hashes,
                        [=](key k) { return shard_of(k, shards); });
      },
      nb::arg("hashes").none(), nb::arg("shards"));

  nb::class_<packed_writer>(m, "PackedWriter")
      .def(
          "__init__",
          [](packed_writer* self, nb::handle path) {
            const std::string name = path_of(path);
            new (self) packed_writer(must(packed_writer::create(name.c_str())));
          },
          nb::arg("path").none())
      .def(
          "add",
          [](packed_writer& w, const filter_object& f) {
            f.access.before_read();
            must(add_to(w, f.filter));
          },
          nb::arg("member"))
      .def("__len__", [](const packed_writer& w) { return w.size(); })
      .def(
          "finish",
          [](packed_writer& w, double asked_fpr, std::uint64_t distinct_keys) {
            must(w.finish({.asked_fpr = asked_fpr, .keys = distinct_keys}));
          },
          nb::kw_only(), nb::arg("asked_fpr") = 0.0, nb::arg("distinct_keys") = 0)
      .def("__enter__", [](nb::handle_t<packed_writer> self) { return nb::borrow(self); })
      .def(
          "__exit__",
          [](packed_writer& w, nb::handle type, nb::handle, nb::handle) {
            if (type.is_none()) must(w.finish());
          },
          nb::arg("type").none(), nb::arg("value").none(), nb::arg("traceback").none());
}

}  // namespace bloomery::py
