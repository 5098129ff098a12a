#include "collector.hpp"

#include <algorithm>
#include <utility>

namespace bloomery::py {
namespace {

constexpr std::size_t at_once = std::size_t{1}
                                << 16;  // keys between two looks at the clock

filter_builder builder_within(nb::handle memory_limit, nb::handle temp_dir) {
  if (memory_limit.is_none()) return filter_builder();
  const std::uint64_t limit = count_of("memory_limit", memory_limit);
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

void key_collector::refuse_callback() const {
  if (building_ == std::this_thread::get_id())
    raise_value("this Builder is building: its progress callback cannot use it");
}

void key_collector::add(nb::handle keys, const hasher& h, build_watcher& watcher) {
  refuse_callback();
  for_each_column(keys, h, [&](const column& c) {
    added_keys added;
    {
      const write_turn turn(access_);
      building_ = std::this_thread::get_id();
      const nb::gil_scoped_release release;
      added = add_groups(c, h, [&](std::span<const key> ks) -> added_keys {
        std::size_t done = 0;
        while (done < ks.size()) {
          const auto some = ks.subspan(done, std::min(at_once, ks.size() - done));
          if (const auto in = builder_.add(some); !in) return {done, in.error()};
          done += some.size();
          if (!watcher.read(some.size())) return {done, error{errc::invalid_argument}};
        }
        return {done};
      });
      building_ = {};
    }
    added_ += added.count;
    watcher.check();
    if (added.refused) raise(*added.refused);
  });
}

std::uint64_t key_collector::count() {
  refuse_callback();
  const write_turn turn(access_);
  return must(without_gil([&] { return builder_.count(); }));
}

filter_object key_collector::finish(const filter_request& r, unsigned threads,
                                    build_watcher& watcher) {
  if (threads == 0) raise_invalid("threads: at least one");
  refuse_callback();
  result<built_filter> made = error{errc::invalid_argument, "not built"};
  {
    const write_turn turn(access_);
    watcher.end_reading(std::exchange(added_, 0));
    building_ = std::this_thread::get_id();
    made = without_gil([&] {
      return builder_.finish(r.kind->facts.number, r.size, r.hash, threads, r.keys,
                             watcher.in_build());
    });
    building_ = {};
  }
  watcher.check();
  auto built = must(std::move(made));
  const write_notes known = built.notes();
  builder_notes notes{known.asked_fpr, known.keys};
  notes.sentinels.add(known.sentinels);
  filter_object out(std::move(built.filter));
  out.built = notes;
  watcher.finish();  // the builder may be used again
  return out;
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
            build_watcher watcher{nb::none()};
            for (const nb::handle keys : batches) b.keys.add(keys, b.hash, watcher);
          },
          nb::arg("batches"))
      .def(
          "update_hashes",
          [](builder_object& b, nb::handle hashes) {
            build_watcher watcher{nb::none()};
            b.keys.add(hashes, b.hash.of(key_source::hashes), watcher);
          },
          nb::arg("hashes").none())
      .def("count", [](builder_object& b) { return b.keys.count(); })
      .def(
          "finish",
          [](builder_object& b, nb::handle fpr, nb::handle capacity, unsigned threads,
             nb::handle progress, nb::kwargs options) {
            build_watcher watcher(progress);
            options["capacity"] = capacity;
            options["fpr"] = fpr;
            filter_request r = request_of(options, b.hash.source());
            if (!r.kind->facts.any_hasher && r.hash != b.hash)
              raise(error{errc::unsupported,
                          "the kind has a fixed hash: give it to the Builder, too"});
            r.hash = b.hash;
            return b.keys.finish(r, threads, watcher);
          },
          nb::arg("fpr") = nb::none(), nb::arg("capacity") = nb::none(),
          nb::arg("threads") = 1, nb::arg("progress") = nb::none(), nb::arg("options"));
}

}  // namespace bloomery::py
