// Many small filters in one file.
#include <bloomery/packed_set.hpp>

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "handles.hpp"
#include "info.hpp"
#include "keys.hpp"
#include "notes.hpp"
#include "structs.hpp"

struct bloomery_packed {
  bloomery::packed_set set;
};

struct bloomery_packed_writer {
  bloomery::packed_writer writer;
};

using namespace bloomery::c_abi;
using bloomery::result;

namespace {

bool has_member(const bloomery_packed* set, std::uint64_t member) noexcept {
  return set != nullptr && member < set->set.size();
}

}  // namespace

bloomery_status bloomery_packed_open(const char* path,
                                     const bloomery_read_options* options,
                                     bloomery_packed** set, bloomery_error* error) {
  return make_handle(set, error, [&]() -> result<bloomery_packed> {
    if (path == nullptr) return null_argument();
    const auto o = reading_of(options);
    if (!o) return o.error();
    auto opened = bloomery::packed_set::open(path, o->options());
    if (!opened) return opened.error();
    return bloomery_packed{*std::move(opened)};
  });
}

void bloomery_packed_free(bloomery_packed* set) { delete set; }

std::uint64_t bloomery_packed_size(const bloomery_packed* set) {
  return set == nullptr ? 0 : set->set.size();
}

int bloomery_packed_may_contain(const bloomery_packed* set, std::uint64_t member,
                                const void* key, std::size_t size) {
  if (!has_member(set, member) || !is_readable(key, size)) return wrong_call;
  if (!takes_bytes(set->set)) return other_keys;
  return set->set.may_contain(member, text_of(key, size));
}

int bloomery_packed_may_contain_u64(const bloomery_packed* set, std::uint64_t member,
                                    std::uint64_t number) {
  if (!has_member(set, member)) return wrong_call;
  if (!takes_integers(set->set)) return other_keys;
  return set->set.may_contain(member, set->set.hash_u64(number));
}

int bloomery_packed_may_contain_hash(const bloomery_packed* set, std::uint64_t member,
                                     std::uint64_t hash) {
  if (!has_member(set, member)) return wrong_call;
  return set->set.may_contain(member, bloomery::key::from_bits(hash));
}

bloomery_status bloomery_packed_ask_members(const bloomery_packed* set,
                                            std::uint64_t first, std::uint64_t count,
                                            std::uint64_t hash, std::uint8_t* perhaps) {
  if (set == nullptr || first > set->set.size() || count > set->set.size() - first ||
      (count != 0 && perhaps == nullptr))
    return BLOOMERY_INVALID_ARGUMENT;
  std::array<std::uint64_t, 16> words;
  constexpr std::uint64_t group = 64 * words.size();
  for (std::uint64_t done = 0; done < count; done += group) {
    const std::uint64_t n = std::min(group, count - done);
    set->set.may_contain(first + done, n, bloomery::key::from_bits(hash), words);
    for (std::uint64_t i = 0; i < n; ++i)
      perhaps[done + i] = words[i / 64] >> (i % 64) & 1;
  }
  return BLOOMERY_OK;
}

bloomery_status bloomery_packed_hash(const bloomery_packed* set, const void* key,
                                     std::size_t size, std::uint64_t* hash) {
  if (set == nullptr || hash == nullptr || !is_readable(key, size))
    return BLOOMERY_INVALID_ARGUMENT;
  if (!takes_bytes(set->set)) return BLOOMERY_INCOMPATIBLE;
  *hash = set->set.hash(text_of(key, size)).bits();
  return BLOOMERY_OK;
}

bloomery_status bloomery_packed_hash_u64(const bloomery_packed* set, std::uint64_t number,
                                         std::uint64_t* hash) {
  if (set == nullptr || hash == nullptr) return BLOOMERY_INVALID_ARGUMENT;
  if (!takes_integers(set->set)) return BLOOMERY_INCOMPATIBLE;
  *hash = set->set.hash_u64(number).bits();
  return BLOOMERY_OK;
}

std::uint64_t bloomery_packed_member_bytes(const bloomery_packed* set,
                                           std::uint64_t member) {
  return has_member(set, member) ? set->set.member_bytes(member) : 0;
}

bloomery_status bloomery_packed_verify(const bloomery_packed* set, std::uint32_t threads,
                                       std::uint64_t* damaged) {
  if (set == nullptr || threads == 0) return BLOOMERY_INVALID_ARGUMENT;
  const std::uint64_t count = set->set.verify_all(std::min(threads, max_threads));
  if (damaged != nullptr) *damaged = count;
  return BLOOMERY_OK;
}

int bloomery_packed_unchanged(const bloomery_packed* set) {
  return set == nullptr ? wrong_call : int{set->set.unchanged()};
}

bloomery_status bloomery_packed_container(const bloomery_packed* set,
                                          bloomery_container* container) {
  return fill_struct(container, nullptr, [&]() -> result<bloomery_container> {
    if (set == nullptr) return null_argument();
    return container_of({set->set.facts(), set->set.damaged_chunks(), 0});
  });
}

bloomery_status bloomery_packed_writer_create(const char* path,
                                              bloomery_packed_writer** writer,
                                              bloomery_error* error) {
  return make_handle(writer, error, [&]() -> result<bloomery_packed_writer> {
    if (path == nullptr) return null_argument();
    auto created = bloomery::packed_writer::create(path);
    if (!created) return created.error();
    return bloomery_packed_writer{*std::move(created)};
  });
}

void bloomery_packed_writer_free(bloomery_packed_writer* writer) { delete writer; }

bloomery_status bloomery_packed_writer_add(bloomery_packed_writer* writer,
                                           const bloomery_filter* member,
                                           bloomery_error* error) {
  return guarded(error, [&]() -> result<void> {
    if (writer == nullptr || member == nullptr) return null_argument();
    return visit(*member, [&]<class F>(const F& f) -> result<void> {
      if constexpr (bloomery::packable<F>)
        return writer->writer.add(f);
      else
        return bloomery::error{
            bloomery::errc::incompatible,
            "only block filters and kinds that are only built are packed"};
    });
  });
}

bloomery_status bloomery_packed_writer_finish(bloomery_packed_writer* writer,
                                              const bloomery_write_options* options,
                                              bloomery_error* error) {
  return guarded(error, [&]() -> result<void> {
    if (writer == nullptr) return null_argument();
    const auto notes = notes_of(options);
    if (!notes) return notes.error();
    return writer->writer.finish(*notes);
  });
}
