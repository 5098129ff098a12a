#include "text/numbers.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <string_view>

#include "sizes/memory.hpp"
#include "text/messages.hpp"

namespace bloomery::cli {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw CLI::ValidationError(name, why);
}

std::uint64_t count(const std::string& name, const std::string& text) {
  std::uint64_t n = 0;
  const char* end = text.data() + text.size();
  const auto [rest, failed] = std::from_chars(text.data(), end, n);
  if (failed == std::errc::result_out_of_range)
    refuse(name, fmt::format("'{}' does not fit 64 bits", text));
  if (failed != std::errc{} || rest != end)
    refuse(name, fmt::format("'{}' is not a whole number", text));
  return n;
}

// Bytes in "", "K", "KiB", "KB", "k" ..; 0 if it is no unit.
double unit(std::string_view text) {
  if (text.empty() || text == "B") return 1;
  constexpr std::string_view prefixes = "KMGT";
  const std::size_t power = prefixes.find(text[0] == 'k' ? 'K' : text[0]);
  const std::string_view rest = text.substr(1);
  if (power == std::string_view::npos || (rest != "" && rest != "B" && rest != "iB"))
    return 0;
  return static_cast<double>(std::uint64_t{1} << (10 * (power + 1)));
}

std::uint64_t bytes(const std::string& name, const std::string& text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, failed] = std::from_chars(text.data(), end, number);
  const double each = unit(std::string_view(rest, static_cast<std::size_t>(end - rest)));
  if (failed != std::errc{} || each == 0 || !(number * each >= 1))
    refuse(name, fmt::format("'{}' is not a size: try 4096, 64K, 16MiB or 1G", text));
  if (number * each > 0x1p62)
    refuse(name, fmt::format("'{}' is too large: this machine has {}", text,
                             size(machine_memory())));
  return static_cast<std::uint64_t>(number * each);
}

}  // namespace

CLI::Option* add_count(CLI::App& command, const std::string& name, std::uint64_t least,
                       const std::function<void(std::uint64_t)>& use,
                       const std::string& help) {
  const auto take = [name, least, use](const std::string& text) {
    const std::uint64_t n = count(name, text);
    if (n < least) refuse(name, fmt::format("'{}' is too few: try {}", text, least));
    use(n);
  };
  return command.add_option_function<std::string>(name, take, help);
}

CLI::Option* add_seed(CLI::App& command, std::optional<std::uint64_t>& seed,
                      bool& is_negative, const std::string& help) {
  const auto take = [&seed, &is_negative](const std::string& text) {
    is_negative = text.starts_with('-');
    if (!is_negative) {
      seed = count("--seed", text);
      return;
    }
    const std::uint64_t n = count("--seed", text.substr(1));
    if (n > std::uint64_t{1} << 31)
      refuse("--seed", fmt::format("'{}' does not fit 32 bits", text));
    seed = std::uint64_t{0} - n;
  };
  return command.add_option_function<std::string>("--seed", take, help)->type_name("N");
}

CLI::Option* add_size(CLI::App& command, const std::string& name,
                      const std::function<void(std::uint64_t)>& use,
                      const std::string& help) {
  const auto take = [name, use](const std::string& text) { use(bytes(name, text)); };
  return command.add_option_function<std::string>(name, take, help);
}

}  // namespace bloomery::cli
