// Python objects as columns: hashed, or as texts.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <bloomery/hasher.hpp>

#include "column.hpp"
#include "python.hpp"

namespace bloomery::py {

// The objects of a list, a tuple, or an array of references.  Nothing that reads them
// runs Python code, so they stay while the GIL is held.
class object_list {
 public:
  explicit object_list(PyObject* list_or_tuple) noexcept
      : object_(list_or_tuple), is_list_(PyList_Check(list_or_tuple)) {}
  explicit object_list(std::span<const nb::object> items) noexcept : items_(items) {}

  std::size_t size() const noexcept {
    if (object_ == nullptr) return items_.size();
    return static_cast<std::size_t>(is_list_ ? PyList_Size(object_)
                                             : PyTuple_Size(object_));
  }
  PyObject* operator[](std::size_t i) const noexcept {
    if (object_ == nullptr) return items_[i].ptr();
    const auto at = static_cast<Py_ssize_t>(i);
#ifdef Py_LIMITED_API
    return is_list_ ? PyList_GetItem(object_, at) : PyTuple_GetItem(object_, at);
#else
    return is_list_ ? PyList_GET_ITEM(object_, at) : PyTuple_GET_ITEM(object_, at);
#endif
  }

 private:
  PyObject* object_ = nullptr;
  bool is_list_ = false;
  std::span<const nb::object> items_;
};

// Their keys, up to the first that is none: then the exception is set, and says that it
// is key `position` + its place.
class hashed_column final : public column {
 public:
  static std::unique_ptr<hashed_column> of(const object_list& objects, const hasher& h,
                                           std::size_t position = 0);
  void keys(const hasher&, std::size_t first, std::span<key> out) const noexcept override;
  std::span<const key> all() const noexcept { return {keys_.get(), size()}; }

 private:
  hashed_column(std::unique_ptr<key[]> keys, std::size_t size) noexcept
      : column(size, sort::hashed, false), keys_(std::move(keys)) {}
  std::unique_ptr<key[]> keys_;
};

// The same as copies of their texts, for filters that hash them.
class text_list_column final : public column {
 public:
  static std::unique_ptr<text_list_column> of(const object_list& objects,
                                              std::size_t position = 0);
  void texts(std::size_t first, std::span<std::string_view> out) const noexcept override;

 private:
  text_list_column(std::string all, std::vector<std::size_t> ends)
      : column(ends.size(), sort::texts, false),
        all_(std::move(all)),
        ends_(std::move(ends)) {}
  std::string all_;
  std::vector<std::size_t> ends_;  // of each text in `all_`
};

}  // namespace bloomery::py
