// Our own filters in containers.
#include <bloomery/container.hpp>

#include <cstring>

#include "format/container/header.hpp"
#include "format/container/reader.hpp"
#include "format/container/writer.hpp"
#include "format/file.hpp"
#include "format/filter_access.hpp"

namespace bloomery::inline v1 {
namespace {

using format::container_source;

template <class F>
result<F> read_filter(const container_source& from, const read_options& o,
                      read_report* report) noexcept {
  const auto c = format::open_container(from, o);
  if (!c) return c.error();
  const container_facts& f = c->facts;
  if (f.kind != format::kind_of<F>())
    return error{errc::incompatible, "a container of another kind of filter", 10};
  const auto h = format::hasher_of(f, o);
  if (!h) return h.error();
  auto store = pages::make(static_cast<std::size_t>(f.payload_bytes));
  if (!store) return store.error();
  // Pages extend to whole lines, as the payload does.
  const std::span<std::byte> room(store->data(),
                                  static_cast<std::size_t>(f.padded_bytes()));
  const auto damage = format::read_payload(from, *c, room);
  if (!damage) return damage.error();
  if (damage->count != 0) {
    format::fill_damaged(f, damage->words(), room);
    std::memset(room.data() + f.payload_bytes, 0,
                static_cast<std::size_t>(f.padded_bytes() - f.payload_bytes));
  }
  F filter = format::filter_access::adopt<F>(f, *h, *std::move(store));
  for (unsigned i = 0; i < f.sentinels; ++i)
    if (!filter.may_contain(c->sentinel(i)))
      return error{errc::corrupt, "a sentinel key is missing: these are not its bits",
                   f.tail_at() + 8 * i};
  if (report != nullptr) *report = {f, damage->count, damage->first_at};
  return filter;
}

template <class F>
result<void> make_parts(format::container_parts& to, const F& f,
                        const write_notes& notes) noexcept {
  return to.make(format::facts_of(f), f.bytes(), notes);
}

}  // namespace

template <class F>
result<F> load_container(const char* path, const read_options& o,
                         read_report* report) noexcept {
  auto file = format::input_file::open(path);
  if (!file) return file.error();
  return read_filter<F>(container_source(*std::move(file)), o, report);
}

template <class F>
result<F> decode_container(std::span<const std::byte> bytes, const read_options& o,
                           read_report* report) noexcept {
  return read_filter<F>(container_source(bytes), o, report);
}

template <class F>
result<pages> encode_container(const F& f, const write_notes& notes) noexcept {
  format::container_parts parts;
  if (auto ok = make_parts(parts, f, notes); !ok) return ok.error();
  return parts.joined();
}

template <class F>
result<void> save_container(const F& f, const char* path,
                            const write_notes& notes) noexcept {
  format::container_parts parts;
  if (auto ok = make_parts(parts, f, notes); !ok) return ok;
  return parts.save(path, notes);
}

BLOOMERY_CONTAINER_OF(, portable_bloom)
BLOOMERY_CONTAINER_OF(, block_bloom)
BLOOMERY_CONTAINER_OF(, split_block_bloom)
BLOOMERY_CONTAINER_OF(, bloom)

result<block_bloom> block_bloom::decode(std::span<const std::byte> bytes) noexcept {
  return decode_container<block_bloom>(bytes);
}
result<block_bloom> block_bloom::load(const char* path) noexcept {
  return load_container<block_bloom>(path);
}
result<pages> block_bloom::encode() const noexcept { return encode_container(*this); }
result<void> block_bloom::save(const char* path) const noexcept {
  return save_container(*this, path);
}

result<split_block_bloom> split_block_bloom::decode(
    std::span<const std::byte> bytes) noexcept {
  return decode_container<split_block_bloom>(bytes);
}
result<split_block_bloom> split_block_bloom::load(const char* path) noexcept {
  return load_container<split_block_bloom>(path);
}
result<pages> split_block_bloom::encode() const noexcept {
  return encode_container(*this);
}
result<void> split_block_bloom::save(const char* path) const noexcept {
  return save_container(*this, path);
}

result<bloom> bloom::decode(std::span<const std::byte> bytes) noexcept {
  return decode_container<bloom>(bytes);
}
result<bloom> bloom::load(const char* path) noexcept {
  return load_container<bloom>(path);
}
result<pages> bloom::encode() const noexcept { return encode_container(*this); }
result<void> bloom::save(const char* path) const noexcept {
  return save_container(*this, path);
}

}  // namespace bloomery::inline v1
