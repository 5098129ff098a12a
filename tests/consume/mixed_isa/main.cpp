// Where the CPU has AVX2, both halves of the program must agree; where it has not, the
// baseline half must run all the same: under an emulated old CPU this shows that the
// linker has given it no function of the other half.
#include <cstdio>

#include "exercise.hpp"

int main() {
  const std::uint64_t baseline = baseline_answers();
  std::printf("kernel %s, baseline %016llx\n", bloomery::kernel_name(),
              static_cast<unsigned long long>(baseline));
  if (baseline == 0) return 1;
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2")) {
    std::puts("no AVX2: only the baseline half was run");
    return 0;
  }
  return v3_answers() == baseline ? 0 : 1;
}
