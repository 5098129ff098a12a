// std::chrono's durations and clocks.  <chrono> has them with calendars, time zones and
// <sstream>, which cost each file as much as all kinds of filters; the headers of locks,
// whose calls take durations, have them alone (libstdc++ and libc++).
#pragma once

#include <shared_mutex>
