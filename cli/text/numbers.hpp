// Counts and sizes on the command line: decimal, whole, nothing else believed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace bloomery::cli {

// Adds an option that takes a whole number of at least `least`; `use` gets it.
CLI::Option* add_count(CLI::App& command, const std::string& name, std::uint64_t least,
                       const std::function<void(std::uint64_t)>& use,
                       const std::string& help);

// Adds an option that takes a size in bytes: 4096, 64K, 16MiB, 1.5G; powers of 1024.
CLI::Option* add_size(CLI::App& command, const std::string& name,
                      const std::function<void(std::uint64_t)>& use,
                      const std::string& help);

// Adds --seed N.  A negative one is for dialects whose seed is a signed number of 32
// bits, and is given in 64 bits with its sign.
CLI::Option* add_seed(CLI::App& command, std::optional<std::uint64_t>& seed,
                      bool& is_negative, const std::string& help);

}  // namespace bloomery::cli
