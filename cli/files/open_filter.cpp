// Opens a filter to be asked.
#include <fmt/core.h>

#include <utility>

#include "files/filter_kinds.hpp"
#include "files/query_filter.hpp"
#include "files/source.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

template <class T>
opened::held must(const source& from, result<T> made) {
  if (!made) throw failure(describe(from.path, made.error(), from.reading_context()));
  return opened::held(*std::move(made));
}

opened open_foreign(const source& from) {
  foreign_source f = load_foreign(from);
  return {from.path,      from.how,         opened::held(std::move(f.filter)),
          from.container, f.damaged_chunks, foreign_options::every_part,
          f.encoding};
}

opened open_packed(const source& from) {
  opened f{from.path, from.how,
           must(from, packed_set::open(from.path.c_str(), from.reading())),
           from.container};
  if (from.asked.part && *from.asked.part >= from.container->units)
    throw failure(fmt::format("{}: --part {}: it has {} members, from 0 on", from.path,
                              *from.asked.part, from.container->units));
  f.part = from.asked.part.value_or(foreign_options::every_part);
  return f;
}

opened open_view(const source& from) {
  if (from.asked.part)
    throw failure(fmt::format("{}: --part: there is only one filter in it", from.path));
  return with_filter_of(from.container->kind, [&]<class F>(std::type_identity<F>) {
    return opened{from.path, from.how,
                  must(from, filter_view<F>::open(from.path.c_str(), from.reading())),
                  from.container};
  });
}

opened open_ours(const source& from) {
  opened f = from.how->of == family::portable
                 ? opened{from.path,
                          from.how,
                          must(from, portable_bloom::load(from.path.c_str())),
                          {}}
             : from.container->kind == container_kind::packed ? open_packed(from)
                                                              : open_view(from);
  f.encoding = encoding_of_ours(from.asked);
  return f;
}

}  // namespace

opened open_filter(const std::string& path, const read_request& r) {
  const source from = find_source(path, r);
  const bool foreign =
      from.how->of == family::foreign ||
      (from.container && from.container->kind == container_kind::foreign);
  return foreign ? open_foreign(from) : open_ours(from);
}

}  // namespace bloomery::cli
