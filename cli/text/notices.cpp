#include "text/notices.hpp"

#include <cstdio>

namespace bloomery::cli {

void say(const std::string& text) { std::fputs(text.c_str(), stderr); }
void warn(const std::string& message) { say("bloomery: warning: " + message + "\n"); }
void note(const std::string& message) { say("bloomery: " + message + "\n"); }

}  // namespace bloomery::cli
