// Reads Prometheus's text format 0.0.4, and refuses what a lenient reader would forgive.
//
// https://prometheus.io/docs/instrumenting/exposition_formats/.  Stricter than it: single
// spaces, no comments, no timestamps, HELP and TYPE for every family, counters named
// _total.
#pragma once

#include <charconv>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bloomery::testing {

struct prometheus_sample {
  std::map<std::string, std::string> labels;
  double value;
};

struct prometheus_family {
  std::string type, help;
  std::vector<prometheus_sample> samples;
};

class prometheus_parser {
 public:
  static std::map<std::string, prometheus_family> parse(std::string_view text) {
    prometheus_parser p(text);
    while (!p.rest_.empty()) p.family();
    return std::move(p.families_);
  }

 private:
  explicit prometheus_parser(std::string_view text) : rest_(text) {}

  [[noreturn]] void fail(const char* why) const {
    throw std::runtime_error(std::string(why) +
                             " before: " + std::string(rest_.substr(0, 60)));
  }
  void expect(std::string_view text) {
    if (!rest_.starts_with(text)) fail("something else expected");
    rest_.remove_prefix(text.size());
  }
  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // Up to, and without, the next `end`.
  std::string until(char end) {
    const auto n = rest_.find(end);
    if (n == rest_.npos) fail("no end");
    const std::string found(rest_.substr(0, n));
    rest_.remove_prefix(n);
    return found;
  }
  std::string name(bool of_label) {
    std::size_t n = 0;
    const auto fits = [&](char c) {
      return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
             (c == ':' && !of_label) || (n > 0 && c >= '0' && c <= '9');
    };
    while (n < rest_.size() && fits(rest_[n])) ++n;
    if (n == 0) fail("no name");
    const std::string found(rest_.substr(0, n));
    rest_.remove_prefix(n);
    return found;
  }

  // HELP, TYPE and all samples of one metric, which stand together.
  void family() {
    expect("# HELP ");
    const std::string called = name(false);
    expect(" ");
    prometheus_family f;
    f.help = until('\n');
    if (f.help.empty() || f.help.find('\\') != f.help.npos) fail("help");
    expect("\n# TYPE " + called + " ");
    f.type = until('\n');
    if (f.type != "counter" && f.type != "gauge") fail("type");
    if (called.ends_with("_total") != (f.type == "counter"))
      fail("_total is of counters");
    expect("\n");
    std::set<std::map<std::string, std::string>> seen;
    while (rest_.starts_with(called + "{")) {
      f.samples.push_back(sample(called));
      if (!seen.insert(f.samples.back().labels).second) fail("the same series twice");
    }
    if (f.samples.empty()) fail("no samples");
    if (!families_.emplace(called, std::move(f)).second) fail("a family twice");
  }

  prometheus_sample sample(const std::string& called) {
    prometheus_sample s;
    expect(called + "{");
    do {
      const std::string label = name(true);
      expect("=\"");
      if (!s.labels.emplace(label, label_value()).second) fail("a label twice");
    } while (take(','));
    expect("} ");
    s.value = value(until('\n'));
    expect("\n");
    return s;
  }

  std::string label_value() {
    std::string out;
    while (!take('"')) {
      if (rest_.empty() || rest_.front() == '\n' || rest_.front() == '\0')
        fail("an open label");
      if (take('\\')) {
        if (take('\\'))
          out += '\\';
        else if (take('"'))
          out += '"';
        else if (take('n'))
          out += '\n';
        else
          fail("an unknown escape");
      } else {
        out += rest_.front();
        rest_.remove_prefix(1);
      }
    }
    return out;
  }

  double value(const std::string& text) const {
    if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (text == "+Inf") return std::numeric_limits<double>::infinity();
    if (text == "-Inf") return -std::numeric_limits<double>::infinity();
    if (text.find_first_not_of("0123456789.e+-") != text.npos) fail("no number");
    double x = 0;
    const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), x);
    if (bad != std::errc() || end != text.data() + text.size()) fail("no number");
    return x;
  }

  std::string_view rest_;
  std::map<std::string, prometheus_family> families_;
};

}  // namespace bloomery::testing
