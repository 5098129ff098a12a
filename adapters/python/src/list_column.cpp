#include "list_column.hpp"

#include <algorithm>

#include "one_key.hpp"

namespace bloomery::py {
namespace {

constexpr std::size_t ahead = 16;  // objects between a fetch and its use

void fetch(const object_list& objects, std::size_t i, std::size_t size) noexcept {
  if (i + ahead < size) __builtin_prefetch(objects[i + ahead]);
}

// Hashes texts a group at a time.  Returns how many are done.
std::size_t hash_texts(const object_list& objects, std::size_t size, const hasher& h,
                       key* out, std::size_t position) noexcept {
  std::array<std::string_view, group_size> group;
  std::size_t n = 0, done = 0;
  const auto flush = [&] {
    h.hash(std::span<const std::string_view>(group).first(n), std::span(out + done, n));
    done += n;
    n = 0;
  };
  for (std::size_t i = 0; i < size; ++i) {
    fetch(objects, i, size);
    key_text k;
    if (!k.take(objects[i])) {
      flush();
      set_no_key(objects[i], h.source(), static_cast<Py_ssize_t>(position + i));
      return done;
    }
    if (k.is_held()) {
      flush();
      out[done++] = h.hash(k.text());
      continue;
    }
    group[n++] = k.text();
    if (n == group.size()) flush();
  }
  flush();
  return done;
}

std::size_t hash_integers(const object_list& objects, std::size_t size, const hasher& h,
                          key* out, std::size_t position) noexcept {
  std::array<std::uint64_t, group_size> group;
  std::size_t done = 0;
  while (done < size) {
    std::size_t n = 0;
    bool is_key = true;
    for (; n < group.size() && done + n < size; ++n) {
      fetch(objects, done + n, size);
      is_key = take_integer(objects[done + n], group[n]);
      if (!is_key) break;
    }
    const auto some = std::span<const std::uint64_t>(group).first(n);
    if (h.source() == key_source::integers)
      h.hash_u64(some, std::span(out + done, n));
    else
      for (std::size_t i = 0; i < n; ++i) out[done + i] = h.from_hash(some[i]);
    done += n;
    if (!is_key) {
      set_no_key(objects[done], h.source(), static_cast<Py_ssize_t>(position + done));
      return done;
    }
  }
  return done;
}

}  // namespace

std::unique_ptr<hashed_column> hashed_column::of(const object_list& objects,
                                                 const hasher& h, std::size_t position) {
  const std::size_t size = objects.size();
  auto keys = std::make_unique_for_overwrite<key[]>(size);
  const std::size_t done = is_hashed_as_bytes(h.source())
                               ? hash_texts(objects, size, h, keys.get(), position)
                               : hash_integers(objects, size, h, keys.get(), position);
  return std::unique_ptr<hashed_column>(new hashed_column(std::move(keys), done));
}

void hashed_column::keys(const hasher&, std::size_t first,
                         std::span<key> out) const noexcept {
  std::copy_n(keys_.get() + first, out.size(), out.data());
}

std::unique_ptr<text_list_column> text_list_column::of(const object_list& objects,
                                                       std::size_t position) {
  const std::size_t size = objects.size();
  std::string all;
  std::vector<std::size_t> ends;
  ends.reserve(size);
  for (std::size_t i = 0; i < size; ++i) {
    key_text k;
    if (!k.take(objects[i], uuids::refused)) {
      set_no_key(objects[i], key_source::bytes, static_cast<Py_ssize_t>(position + i));
      break;
    }
    all += k.text();
    ends.push_back(all.size());
  }
  return std::unique_ptr<text_list_column>(
      new text_list_column(std::move(all), std::move(ends)));
}

void text_list_column::texts(std::size_t first,
                             std::span<std::string_view> out) const noexcept {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t begin = first + i == 0 ? 0 : ends_[first + i - 1];
    out[i] = std::string_view(all_).substr(begin, ends_[first + i] - begin);
  }
}

}  // namespace bloomery::py
