#include "arrow_column.hpp"

#include <charconv>
#include <cstring>
#include <string>
#include <vector>

#include "python.hpp"
#include "raise.hpp"
#include "strided_column.hpp"

namespace bloomery::py {
namespace {

// Where in its buffers an array's elements are.
struct part {
  std::size_t first, size;
  int depth = 0;  // of dictionaries and tables around it

  part inside(std::size_t from, std::size_t count) const {
    if (depth == 4) raise_type("an Arrow array that is nested too deeply");
    return {from, count, depth + 1};
  }
};

[[noreturn]] void refuse_type(const std::string& why) { raise_type(why); }
[[noreturn]] void refuse_bytes(const std::string& why) {
  raise_value("a broken Arrow array: " + why);
}

const void* buffer_of(const arrow::array& a, std::int64_t i, bool is_needed) {
  const void* const b = a.buffers[i];
  if (b == nullptr && is_needed)
    refuse_bytes("buffer " + std::to_string(i) + " is missing");
  return b;
}

void check_shape(const arrow::array& a, std::int64_t buffers, bool or_more = false) {
  constexpr std::int64_t most = std::int64_t{1} << 60;
  if (a.length < 0 || a.offset < 0 || a.length > most || a.offset > most)
    refuse_bytes("its length or offset is impossible");
  if (or_more ? a.n_buffers < buffers : a.n_buffers != buffers)
    refuse_bytes(std::to_string(a.n_buffers) + " buffers instead of " +
                 std::to_string(buffers));
  if (a.n_buffers != 0 && a.buffers == nullptr) refuse_bytes("it has no buffers");
  if (a.null_count < -1 || a.null_count > a.length + a.offset)
    refuse_bytes("its number of nulls is impossible");
}

validity validity_of(const arrow::array& a, const part& p) {
  if (a.null_count == 0 || p.size == 0) return {};
  const void* const bits = buffer_of(a, 0, false);
  if (bits == nullptr) {
    if (a.null_count > 0) refuse_bytes("it has nulls, and no bitmap of them");
    return {};
  }
  return {static_cast<const std::uint8_t*>(bits), p.first};
}

// --- texts with offsets: utf8, binary, and their large forms ---
template <class Offset>
class offset_column final : public column {
 public:
  offset_column(const Offset* offsets, const char* data, std::size_t size, validity v)
      : column(size, sort::texts, v.has_nulls()),
        offsets_(offsets),
        data_(data),
        validity_(v) {
    bool is_sorted = size == 0 || offsets[0] >= 0;
    for (std::size_t i = 0; i < size; ++i) is_sorted &= offsets[i] <= offsets[i + 1];
    if (!is_sorted) refuse_bytes("its offsets are not in order");
    if (size != 0 && data == nullptr && offsets[size] != offsets[0])
      refuse_bytes("buffer 2 is missing");
  }
  void texts(std::size_t first, std::span<std::string_view> out) const noexcept override {
    const Offset* at = offsets_ + first;
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = {data_ + at[i], static_cast<std::size_t>(at[i + 1] - at[i])};
  }
  void valid(std::size_t first, std::span<bool> out) const noexcept override {
    validity_.read(first, out);
  }

 private:
  const Offset* offsets_;
  const char* data_;
  validity validity_;
};

template <class Offset>
std::unique_ptr<column> texts_of(const arrow::array& a, const part& p) {
  check_shape(a, 3);
  const auto* offsets = static_cast<const Offset*>(buffer_of(a, 1, p.size != 0));
  const auto* data = static_cast<const char*>(buffer_of(a, 2, false));
  return std::make_unique<offset_column<Offset>>(
      offsets == nullptr ? nullptr : offsets + p.first, data == nullptr ? "" : data,
      p.size, validity_of(a, p));
}

// --- string views: 16 bytes each, short ones inside, long ones in other buffers ---
struct string_view_element {
  std::int32_t length;
  union {
    char inside[12];
    struct {
      char prefix[4];
      std::int32_t buffer, offset;
    } outside;
  };
  bool is_inside() const noexcept { return length <= 12; }
};
static_assert(sizeof(string_view_element) == 16);

class view_column final : public column {
 public:
  // The last buffer has the sizes of those before it.
  view_column(const arrow::array& a, const part& p, validity v)
      : column(p.size, sort::texts, v.has_nulls()),
        elements_(static_cast<const string_view_element*>(buffer_of(a, 1, p.size != 0)) +
                  (p.size != 0 ? p.first : 0)),
        buffers_(reinterpret_cast<const char* const*>(a.buffers) + 2),
        validity_(v) {
    const std::int64_t count = a.n_buffers - 3;
    const auto* sizes =
        static_cast<const std::int64_t*>(buffer_of(a, a.n_buffers - 1, count != 0));
    for (std::size_t i = 0; i < p.size; ++i) {
      const string_view_element& e = elements_[i];
      if (!v.is_valid(i) || (e.length >= 0 && e.is_inside())) continue;
      if (e.length < 0 || e.outside.buffer < 0 || e.outside.buffer >= count ||
          e.outside.offset < 0 || buffers_[e.outside.buffer] == nullptr ||
          std::int64_t{e.outside.offset} + e.length > sizes[e.outside.buffer])
        refuse_bytes("element " + std::to_string(i) + " lies outside of its buffers");
    }
  }
  void texts(std::size_t first, std::span<std::string_view> out) const noexcept override {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const string_view_element& e = elements_[first + i];
      if (e.is_inside())
        out[i] = {e.inside, static_cast<std::size_t>(e.length < 0 ? 0 : e.length)};
      else if (has_nulls() && !validity_.is_valid(first + i))
        out[i] = {};  // of a null these bytes may be anything
      else
        out[i] = {buffers_[e.outside.buffer] + e.outside.offset,
                  static_cast<std::size_t>(e.length)};
    }
  }
  void valid(std::size_t first, std::span<bool> out) const noexcept override {
    validity_.read(first, out);
  }

 private:
  const string_view_element* elements_;
  const char* const* buffers_;
  validity validity_;
};

std::unique_ptr<column> views_of(const arrow::array& a, const part& p) {
  check_shape(a, 3, true);
  return std::make_unique<view_column>(a, p, validity_of(a, p));
}

// --- elements of one size ---
strided elements_of(const arrow::array& a, const part& p, std::size_t width) {
  const auto* data = static_cast<const char*>(buffer_of(a, 1, p.size != 0 && width != 0));
  return {data == nullptr ? "" : data + p.first * width,
          static_cast<std::ptrdiff_t>(width)};
}

template <class T>
std::unique_ptr<column> integers_of(const arrow::array& a, const part& p) {
  check_shape(a, 2);
  return std::make_unique<integer_column<T>>(p.size, elements_of(a, p, sizeof(T)),
                                             validity_of(a, p));
}

std::unique_ptr<column> fixed_bytes_of(std::string_view digits, const arrow::array& a,
                                       const part& p) {
  std::uint32_t width = 0;
  const auto [end, wrong] =
      std::from_chars(digits.data(), digits.data() + digits.size(), width);
  if (wrong != std::errc{} || end != digits.data() + digits.size() || width > INT32_MAX)
    refuse_bytes("a format that is none");
  check_shape(a, 2);
  return std::make_unique<fixed_bytes_column>(p.size, elements_of(a, p, width), width,
                                              trailing_zeros::kept, validity_of(a, p));
}

// --- the type null ---
class null_column final : public column {
 public:
  explicit null_column(std::size_t size) noexcept : column(size, sort::nulls, true) {}
  void texts(std::size_t, std::span<std::string_view> out) const noexcept override {
    std::ranges::fill(out, std::string_view());
  }
  void keys(const hasher&, std::size_t, std::span<key> out) const noexcept override {
    std::ranges::fill(out, key::from_bits(0));
  }
  void valid(std::size_t, std::span<bool> out) const noexcept override {
    std::ranges::fill(out, false);
  }
};

// --- dictionaries: each value is hashed once ---
class dictionary_column final : public column {
 public:
  dictionary_column(std::unique_ptr<column> indices, std::unique_ptr<column> values)
      : column(indices->size(), values->holds(),
               indices->has_nulls() || values->has_nulls()),
        indices_(std::move(indices)),
        values_(std::move(values)),
        is_there_(values_->size(), true),
        hashed_(values_->size()) {
    std::array<bool, group_size> some;
    for (std::size_t i = 0; values_->has_nulls() && i < values_->size();
         i += group_size) {
      const auto group = std::span(some).first(std::min(group_size, values_->size() - i));
      values_->valid(i, group);
      std::ranges::copy(group, is_there_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    for_each_index([&](std::size_t i, std::uint64_t index, bool is_valid) {
      if (is_valid && index >= values_->size())
        refuse_bytes("element " + std::to_string(i) + " is no value of its dictionary");
    });
  }
  void texts(std::size_t first, std::span<std::string_view> out) const noexcept override {
    at_indices(first, out.size(), [&](std::size_t i, std::size_t index) {
      values_->texts(index, std::span(out).subspan(i, 1));
    });
  }
  void integers(std::size_t first, std::span<std::uint64_t> out) const noexcept override {
    at_indices(first, out.size(), [&](std::size_t i, std::size_t index) {
      values_->integers(index, std::span(out).subspan(i, 1));
    });
  }
  void valid(std::size_t first, std::span<bool> out) const noexcept override {
    std::ranges::fill(out, true);
    if (indices_->has_nulls()) indices_->valid(first, out);
    at_indices(first, out.size(), [&](std::size_t i, std::size_t index) {
      out[i] &= is_there_[index] != 0;
    });
  }
  void keys(const hasher& h, std::size_t first,
            std::span<key> out) const noexcept override {
    hash_values(h);
    std::ranges::fill(out, key::from_bits(0));
    at_indices(first, out.size(),
               [&](std::size_t i, std::size_t index) { out[i] = hashed_[index]; });
  }

 private:
  // All values, when the first group is read: a column serves one call of one thread.
  void hash_values(const hasher& h) const noexcept {
    if (is_hashed_) return;
    is_hashed_ = true;
    for (std::size_t i = 0; i < hashed_.size(); i += group_size)
      values_->keys(
          h, i, std::span(hashed_).subspan(i, std::min(group_size, hashed_.size() - i)));
  }
  // use(i, index), where the index is one: of nulls it may be anything.
  template <class Use>
  void at_indices(std::size_t first, std::size_t count, Use use) const noexcept {
    std::array<std::uint64_t, group_size> some;
    for (std::size_t done = 0; done < count; done += group_size) {
      const auto group = std::span(some).first(std::min(group_size, count - done));
      indices_->integers(first + done, group);
      for (std::size_t i = 0; i < group.size(); ++i)
        if (group[i] < values_->size()) use(done + i, static_cast<std::size_t>(group[i]));
    }
  }
  template <class Use>
  void for_each_index(Use use) const {
    std::array<std::uint64_t, group_size> some;
    std::array<bool, group_size> valid;
    valid.fill(true);
    for (std::size_t i = 0; i < indices_->size(); i += group_size) {
      const auto group =
          std::span(some).first(std::min(group_size, indices_->size() - i));
      indices_->integers(i, group);
      if (indices_->has_nulls()) indices_->valid(i, std::span(valid).first(group.size()));
      for (std::size_t j = 0; j < group.size(); ++j) use(i + j, group[j], valid[j]);
    }
  }

  std::unique_ptr<column> indices_, values_;
  std::vector<char> is_there_;
  mutable std::vector<key> hashed_;
  mutable bool is_hashed_ = false;
};

std::unique_ptr<column> column_at(const arrow::schema& s, const arrow::array& a,
                                  const part& p);

part whole(const arrow::array& a) {
  if (a.length < 0 || a.offset < 0) refuse_bytes("its length or offset is impossible");
  return {static_cast<std::size_t>(a.offset), static_cast<std::size_t>(a.length)};
}

std::unique_ptr<column> dictionary_of(const arrow::schema& s, const arrow::array& a,
                                      const part& p) {
  if (a.dictionary == nullptr) refuse_bytes("its dictionary is missing");
  arrow::schema index = s;
  index.dictionary = nullptr;
  auto indices = column_at(index, a, p);
  const part values = whole(*a.dictionary);
  if (indices->holds() != column::sort::integers)
    refuse_bytes("indices that are no integers");
  return std::make_unique<dictionary_column>(
      std::move(indices),
      column_at(*s.dictionary, *a.dictionary, p.inside(values.first, values.size)));
}

// A table, or a record: the one column that it has.
std::unique_ptr<column> only_child(const arrow::schema& s, const arrow::array& a,
                                   const part& p) {
  if (s.n_children != 1)
    refuse_type("a table of " + std::to_string(s.n_children) +
                " columns: pass the column that has the keys");
  if (a.n_children != 1 || a.children == nullptr || a.children[0] == nullptr ||
      s.children == nullptr || s.children[0] == nullptr)
    refuse_bytes("its column is missing");
  check_shape(a, 1);
  if (validity_of(a, p).has_nulls()) refuse_type("a record that is null has no key");
  const arrow::array& child = *a.children[0];
  const part inner = whole(child);
  if (p.first + p.size > inner.size) refuse_bytes("its column is too short");
  return column_at(*s.children[0], child, p.inside(inner.first + p.first, p.size));
}

[[noreturn]] void refuse_format(std::string_view f) {
  const std::string name = "an Arrow array of the format '" + std::string(f) + "'";
  if (f == "b") refuse_type(name + ", bool, is no array of keys");
  if (f == "e" || f == "f" || f == "g")
    refuse_type(name + ", floating point, is no array of keys: cast it to strings");
  if (f.starts_with("t"))
    refuse_type(name + ", of times, is no array of keys: cast it to int64");
  refuse_type(name +
              " is no array of keys: pass strings, binary, integers, or a dictionary of "
              "those; cast it first");
}

std::unique_ptr<column> column_at(const arrow::schema& s, const arrow::array& a,
                                  const part& p) {
  if (s.format == nullptr) refuse_bytes("its type is missing");
  if (s.dictionary != nullptr) return dictionary_of(s, a, p);
  const std::string_view f = s.format;
  if (f == "u" || f == "z") return texts_of<std::int32_t>(a, p);
  if (f == "U" || f == "Z") return texts_of<std::int64_t>(a, p);
  if (f == "vu" || f == "vz") return views_of(a, p);
  if (f.starts_with("w:")) return fixed_bytes_of(f.substr(2), a, p);
  if (f == "c") return integers_of<std::int8_t>(a, p);
  if (f == "C") return integers_of<std::uint8_t>(a, p);
  if (f == "s") return integers_of<std::int16_t>(a, p);
  if (f == "S") return integers_of<std::uint16_t>(a, p);
  if (f == "i") return integers_of<std::int32_t>(a, p);
  if (f == "I") return integers_of<std::uint32_t>(a, p);
  if (f == "l") return integers_of<std::int64_t>(a, p);
  if (f == "L") return integers_of<std::uint64_t>(a, p);
  if (f == "n") return std::make_unique<null_column>(p.size);
  if (f == "+s") return only_child(s, a, p);
  refuse_format(f);
}

}  // namespace

std::unique_ptr<column> column_of(const arrow::schema& schema,
                                  const arrow::array& array) {
  return column_at(schema, array, whole(array));
}

}  // namespace bloomery::py
