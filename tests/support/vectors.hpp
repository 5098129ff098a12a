// The files of spec/vectors.
#pragma once

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include <nlohmann/json.hpp>

namespace bloomery::testing {

inline nlohmann::json vectors(const std::string& name) {
  const auto path = std::filesystem::path(BLOOMERY_VECTORS_DIR) / name;
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return nlohmann::json::parse(in);
}

}  // namespace bloomery::testing
