// All keys first, then a filter sized for the distinct ones.
#pragma once

#include <thread>

#include <bloomery/build.hpp>

#include "build_watcher.hpp"
#include "filter.hpp"
#include "options.hpp"
#include "python.hpp"

namespace bloomery::py {

// Not for several threads: its calls take turns.
class key_collector {
 public:
  // None: no limit; keys beyond a limit go to temporary files in `temp_dir`.
  key_collector(nb::handle memory_limit, nb::handle temp_dir);

  void add(nb::handle keys, const hasher& h, build_watcher& watcher);
  std::uint64_t count();
  filter_object finish(const filter_request& r, unsigned threads, build_watcher& watcher);

 private:
  // A callback would wait for the build that it is called by.
  void refuse_callback() const;

  filter_builder builder_;
  turns access_;
  std::thread::id building_;
  std::uint64_t added_ = 0;
};

void bind_builder(nb::module_& m);

}  // namespace bloomery::py
