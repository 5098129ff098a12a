#include "collector.hpp"

namespace bloomery::py {
namespace {

filter_builder builder_within(nb::handle memory_limit, nb::handle temp_dir) {
  if (memory_limit.is_none()) return filter_builder();
  std::uint64_t limit = 0;
  if (!nb::try_cast(memory_limit, limit)) raise_type("memory_limit: an int is expected");
  const std::string folder = temp_dir.is_none() ? "." : path_of(temp_dir);
  return must(filter_builder::make({.memory_limit = limit, .directory = folder}));
}

// bloomery.Builder: keys of one hasher, as they come.
struct builder_object {
  hasher hash;
  key_collector keys;
};

}  // namespace

key_collector::key_collector(nb::handle memory_limit, nb::handle temp_dir)
    : builder_(builder_within(memory_limit, temp_dir)) {}

void key_collector::add(nb::handle keys, const hasher& h) {
  for_each_column(keys, h, [&](const column& c) {
    added_keys added;
    {
      const write_turn turn(access_);
      const nb::gil_scoped_release release;
      added = add_groups(c, h, [&](std::span<const key> ks) -> added_keys {
        const auto done = builder_.add(ks);
        return done ? added_keys{ks.size()} : added_keys{0, done.error()};
      });
    }
    if (added.refused) raise(*added.refused);
  });
}

std::uint64_t key_collector::count() {
  const write_turn turn(access_);
  return must(without_gil([&] { return builder_.count(); }));
}

filter_object key_collector::finish(const filter_request& r, unsigned threads) {
  if (threads == 0) raise_invalid("threads: at least one");
  const write_turn turn(access_);
  auto built = must(without_gil([&] {
    return builder_.finish(r.kind->facts.number, r.size, r.hash, threads, r.keys);
  }));
  const write_notes known = built.notes();
  builder_notes notes{known.asked_fpr, known.keys};
  notes.sentinels.add(known.sentinels);
  filter_object made(std::move(built.filter));
  made.built = notes;
  return made;
}

void bind_builder(nb::module_& m) {
  nb::class_<builder_object>(m, "Builder")
      .def(
          "__init__",
          [](builder_object* self, nb::handle memory_limit, nb::handle temp_dir,
             const nb::kwargs& options) {
            for (const auto& [name, value] : options) {
              const std::string_view option = nb::cast<std::string_view>(name);
              if (option != "hash" && option != "seed" && option != "secret" &&
                  option != "source")
                raise_type(
                    "a Builder takes hash, seed, secret and source; give the rest to "
                    "finish");
            }
            const hasher h = hasher_of(options, hasher::xxh3(), key_source::bytes);
            new (self) builder_object{h, {memory_limit, temp_dir}};
          },
          nb::arg("memory_limit") = nb::none(), nb::arg("temp_dir") = nb::none(),
          nb::arg("options"))
      .def(
          "update",
          [](builder_object& b, const nb::args& batches) {
            for (const nb::handle keys : batches) b.keys.add(keys, b.hash);
          },
          nb::arg("batches"))
      .def(
          "update_hashes",
          [](builder_object& b, nb::handle hashes) {
            b.keys.add(hashes, b.hash.of(key_source::hashes));
          },
          nb::arg("hashes").none())
      .def("count", [](builder_object& b) { return b.keys.count(); })
      .def(
          "finish",
          [](builder_object& b, nb::handle fpr, nb::handle capacity, unsigned threads,
             nb::kwargs options) {
            options["capacity"] = capacity;
            options["fpr"] = fpr;
            filter_request r = request_of(options, b.hash.source());
            if (!r.kind->facts.any_hasher && r.hash != b.hash)
              raise(error{errc::unsupported,
                          "the kind has a fixed hash: give it to the Builder, too"});
            r.hash = b.hash;
            return b.keys.finish(r, threads);
          },
          nb::arg("fpr") = nb::none(), nb::arg("capacity") = nb::none(),
          nb::arg("threads") = 1, nb::arg("options"));
}

}  // namespace bloomery::py
