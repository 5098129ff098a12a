#pragma once

#include <chrono>

namespace attack {

class stopwatch {
 public:
  double seconds() const {
    const std::chrono::duration<double> t = std::chrono::steady_clock::now() - start_;
    return t.count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace attack
