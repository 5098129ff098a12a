#include "files/filter_group.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace bloomery::cli {
namespace {

bool encode_alike(const record_format& a, const record_format& b) {
  if (a.is_plain() || b.is_plain()) return a.is_plain() == b.is_plain();
  return a.hex == b.hex && a.encoding.type == b.encoding.type &&
         a.encoding.rule == b.encoding.rule;
}

}  // namespace

filter_group::member::member(const std::string& path, const read_request& asked,
                             const record_format& written)
    : from(find_source(path, asked)),
      filter(open_filter(from)),
      format(spelling(written, filter.keys)) {}

filter_group::filter_group(const std::vector<std::string>& paths,
                           const read_request& asked, const record_format& written) {
  for (const std::string& path : paths) members_.emplace_back(path, asked, written);
  reading_ = members_.front().format;
  is_encoded_ = std::ranges::all_of(
      members_, [&](const member& m) { return encode_alike(m.format, reading_); });
  if (is_encoded_) return;
  reading_ = written;
  reading_.hex = false;
  reading_.encoding = {};
}

void filter_group::ask(std::size_t i, std::span<const std::string_view> keys,
                       const place_of& place, std::span<bool> out) {
  if (!is_encoded_) return query_as_written(i, keys, place, out);
  members_[i].filter.may_contain(keys, out);
  members_[i].filter.check_unchanged();
}

void filter_group::query_as_written(std::size_t i, std::span<const std::string_view> keys,
                                    const place_of& place, std::span<bool> out) {
  const member& m = members_[i];
  if (!m.format.is_plain()) {
    std::size_t room = 0;
    for (const std::string_view key : keys) room += room_for(m.format, key);
    bytes_.clear();
    bytes_.reserve(room);  // so that the views below stay valid
    encoded_.clear();
    for (std::size_t k = 0; k < keys.size(); ++k) {
      const std::size_t at = bytes_.size();
      const auto whose = [&] {
        return size() == 1 ? place(k) : fmt::format("{} ({})", place(k), m.filter.path);
      };
      append_key(m.format, keys[k], whose, bytes_);
      encoded_.emplace_back(bytes_.data() + at, bytes_.size() - at);
    }
    keys = encoded_;
  }
  m.filter.may_contain(keys, out);
  m.filter.check_unchanged();
}

}  // namespace bloomery::cli
