#include "exercise.hpp"

std::uint64_t baseline_answers() { return answers(); }
