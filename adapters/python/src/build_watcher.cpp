#include "build_watcher.hpp"

#include "raise.hpp"

namespace bloomery::py {
namespace {

constexpr auto interval = std::chrono::milliseconds(100);

}  // namespace

build_watcher::build_watcher(nb::handle progress)
    : progress_(progress), next_(std::chrono::steady_clock::now() + interval) {
  if (!progress.is_none() && PyCallable_Check(progress.ptr()) == 0)
    raise_type("progress: a function of (done, total) is expected");
}

void build_watcher::begin_reading(nb::handle keys) {
  if (!nb::hasattr(keys, "__len__")) return;
  const Py_ssize_t size = PyObject_Size(keys.ptr());
  if (size < 0)
    PyErr_Clear();
  else
    total_ = 2 * static_cast<std::uint64_t>(size);
}

void build_watcher::end_reading(std::uint64_t keys) noexcept {
  built_from_ = keys;
  total_ = 2 * keys;
}

void build_watcher::check() {
  if (wrong_) throw std::move(*wrong_);
}

void build_watcher::finish() {
  if (!progress_.is_none()) call(total_.value_or(0));
}

bool build_watcher::read(std::uint64_t keys) noexcept {
  read_ += keys;
  return tell(read_);
}

build_watch build_watcher::in_build() noexcept {
  return {
      [](void* context, std::uint64_t done, std::uint64_t all) noexcept -> result<void> {
        auto& w = *static_cast<build_watcher*>(context);
        const double part = all == 0 ? 0 : static_cast<double>(done) / all;
        const auto keys = static_cast<std::uint64_t>(part * w.built_from_);
        if (w.tell(w.built_from_ + keys)) return {};
        return error{errc::invalid_argument, "the build was interrupted"};
      },
      this};
}

bool build_watcher::tell(std::uint64_t done) noexcept {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return true;
  const nb::gil_scoped_acquire gil;
  try {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!progress_.is_none()) call(done);
  } catch (nb::python_error& e) {
    wrong_.emplace(std::move(e));
  }
  next_ = std::chrono::steady_clock::now() + interval;
  return !wrong_;
}

void build_watcher::call(std::uint64_t done) {
  nb::object total = nb::none();
  if (total_) total = nb::int_(*total_);
  progress_(done, total);
}

}  // namespace bloomery::py
