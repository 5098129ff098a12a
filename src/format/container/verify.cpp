// Every byte of a container, of any kind.
#include <bloomery/container.hpp>

#include "format/container/reader.hpp"
#include "format/file.hpp"

namespace bloomery::inline v1 {

result<read_report> verify_container(const input_file& file,
                                     progress_call progress) noexcept {
  const format::container_source from(file);
  const auto c = format::open_container(from, {});
  if (!c) return c.error();
  std::uint64_t ones = 0;
  const auto damage = format::check_payload(from, *c, ones, progress);
  if (!damage) return damage.error();
  if (damage->count == 0 && ones != c->facts.ones)
    return error{errc::corrupt, "the number of ones is not the header's", 88,
                 static_cast<double>(c->facts.ones), static_cast<double>(ones)};
  return read_report{c->facts, damage->count, damage->first_at};
}

result<read_report> verify_container(path_ref path, progress_call progress) noexcept {
  const auto file = input_file::open(path);
  if (!file) return file.error();
  return detail::of_file(path, verify_container(*file, progress));
}

result<sentinel_keys> read_sentinels(const input_file& file) noexcept {
  const auto c = format::open_container(format::container_source(file), {});
  if (!c) return c.error();
  return c->all_sentinels();
}

}  // namespace bloomery::inline v1
