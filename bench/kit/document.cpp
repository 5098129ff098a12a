#include "kit/document.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace bloomery::bench {
namespace {

std::string read_all(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error(path + ": cannot read");
  return text.str();
}

}  // namespace

void write_between_markers(const std::string& path, const std::string& name,
                           std::string_view text) {
  const std::string begin_marker = "<!-- " + name + ": begin -->\n";
  const std::string end_marker = "<!-- " + name + ": end -->\n";
  std::string document = read_all(path);
  const auto begin = document.find(begin_marker);
  const auto end = document.find(end_marker);
  if (begin == std::string::npos || end == std::string::npos || end < begin)
    throw std::runtime_error(path + ": no markers of " + name + " to write between");
  const auto from = begin + begin_marker.size();
  document.replace(from, end - from, text);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << document;
  file.close();
  if (!file) throw std::runtime_error(path + ": cannot write");
}

}  // namespace bloomery::bench
