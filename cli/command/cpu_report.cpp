#include "command/cpu_report.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include <bloomery/kinds.hpp>

#include "text/json.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"
#include "text/output.hpp"

namespace bloomery::cli {
namespace {

constexpr const char* variable = "BLOOMERY_ISA";

// null: unknown.
json cache(int name) {
  const long bytes = sysconf(name);
  return bytes > 0 ? json(static_cast<std::uint64_t>(bytes)) : json(nullptr);
}

json facts() {
  json j;
  for (const kernel_info& k : kernels())
    j["kernels"].push_back(json::object({{"name", k.name},
                                         {"compiled", k.compiled},
                                         {"runs", k.runs},
                                         {"chosen", k.chosen}}));
  j["caches"]["l1"] = cache(_SC_LEVEL1_DCACHE_SIZE);
  j["caches"]["l2"] = cache(_SC_LEVEL2_CACHE_SIZE);
  j["caches"]["l3"] = cache(_SC_LEVEL3_CACHE_SIZE);
  const char* isa = std::getenv(variable);
  j["bloomery_isa"] = isa != nullptr ? json(isa) : json(nullptr);
  return j;
}

std::string in_words(const json& j) {
  const auto yes_or_no = [](const json& value) {
    return value.get<bool>() ? "yes" : "no";
  };
  std::string text = fmt::format("{:<14} {:<14} {:<10} {}\n", "kernel", "in this build",
                                 "runs here", "chosen");
  for (const json& k : j.at("kernels").get<json::items>())
    text += fmt::format("{:<14} {:<14} {:<10} {}\n", k.at("name").get<std::string>(),
                        yes_or_no(k.at("compiled")), yes_or_no(k.at("runs")),
                        yes_or_no(k.at("chosen")));
  for (const auto& [name, bytes] : j.at("caches").get<json::members>())
    text += fmt::format("{:<14} {}\n", name + " cache",
                        bytes.is_null() ? "unknown" : size(bytes.get<std::uint64_t>()));
  const json& isa = j.at("bloomery_isa");
  return text + fmt::format("{:<14} {}\n", variable,
                            isa.is_null() ? "not set: the best that runs is chosen"
                                          : isa.get<std::string>());
}

// A misspelt name would silently switch nothing off.
void check_variable() {
  const char* isa = std::getenv(variable);
  if (isa == nullptr || *isa == '\0') return;
  const auto all = kernels();
  const auto names_it = [isa](const kernel_info& k) {
    return std::string_view(k.name) == isa;
  };
  if (std::ranges::none_of(all, names_it))
    warn(fmt::format("{}={}: there is no such kernel, so it has no effect", variable,
                     isa));
}

}  // namespace

void report_cpu(bool as_json) {
  check_variable();
  const json j = facts();
  output out;
  out.write(as_json ? j.dump() + "\n" : in_words(j));
  out.flush();
}

}  // namespace bloomery::cli
