// Compiled for x86-64-v3: the one-key calls are AVX2 here.
#include "exercise.hpp"

static_assert(std::is_same_v<bloomery::block_probe::native, bloomery::block_probe::avx2>);
static_assert(std::is_same_v<bloomery::cell_probe::native, bloomery::cell_probe::avx2>);

std::uint64_t v3_answers() { return answers(); }
