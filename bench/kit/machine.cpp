#include "kit/machine.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <thread>

namespace bloomery::bench {
namespace {

// The value after "NAME :" in /proc/cpuinfo.
std::string cpuinfo(const std::string& name) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(name))
      if (const auto colon = line.find(": "); colon != std::string::npos)
        return line.substr(colon + 2);
  return {};
}

std::string cpu_model() {
  for (const char* name : {"model name", "Model", "CPU part"})
    if (std::string model = cpuinfo(name); !model.empty()) return model;
  return "unknown";
}

// "always [madvise] never" -> "madvise"
std::string huge_page_mode() {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string line;
  std::getline(file, line);
  const auto open = line.find('['), close = line.find(']');
  return close == std::string::npos ? "unknown" : line.substr(open + 1, close - open - 1);
}

std::string compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

std::string load() {
  const std::optional<double> average = load_average();
  return average ? fmt::format("{:.2f}", *average) : "unknown";
}

std::size_t ask([[maybe_unused]] int name) {
  const long size = sysconf(name);
  return size > 0 ? static_cast<std::size_t>(size) : 0;
}

}  // namespace

cache_sizes caches() {
#if defined(_SC_LEVEL1_DCACHE_SIZE)
  return {ask(_SC_LEVEL1_DCACHE_SIZE), ask(_SC_LEVEL2_CACHE_SIZE),
          ask(_SC_LEVEL3_CACHE_SIZE)};
#else
  return {};
#endif
}

std::size_t available_memory() {
  std::ifstream file("/proc/meminfo");
  for (std::string name, unit; file >> name;) {
    std::size_t kib = 0;
    if (!(file >> kib)) break;
    if (name == "MemAvailable:") return kib << 10;
    std::getline(file, unit);
  }
  return 0;
}

std::optional<double> load_average() {
  std::array<double, 1> average{};
  if (getloadavg(average.data(), 1) != 1) return std::nullopt;
  return average[0];
}

void require_idle(std::optional<double> load) {
  if (load && *load > max_load_to_write)
    throw std::runtime_error(fmt::format(
        "refused: the load average of the last minute is {:.2f}, and --write takes times "
        "only up to {:.2f}: wait until the machine is idle, or measure without --write",
        *load, max_load_to_write));
}

std::string describe_machine() {
  const cache_sizes c = caches();
  return fmt::format(
      "- CPU: {}, {} cores visible; L1d {} KiB, L2 {} KiB, L3 {} MiB\n"
      "- transparent huge pages: {}; load average at the start: {}\n"
      "- compiler: {}, `{}`\n",
      cpu_model(), std::thread::hardware_concurrency(), c.l1 >> 10, c.l2 >> 10,
      c.l3 >> 20, huge_page_mode(), load(), compiler(), BLOOMERY_BENCH_FLAGS);
}

std::string describe_load_at_end() {
  return fmt::format("- load average at the end, this program included: {}\n", load());
}

}  // namespace bloomery::bench
