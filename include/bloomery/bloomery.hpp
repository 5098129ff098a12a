// Everything.  tools/check_umbrella.py keeps this list whole.
#pragma once

#include <bloomery/any_filter.hpp>
#include <bloomery/export.hpp>
#include <bloomery/filter.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/model.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/portable_bloom.hpp>
#include <bloomery/portable_format.hpp>
#include <bloomery/portable_probe.hpp>
#include <bloomery/result.hpp>
#include <bloomery/sizing.hpp>
#include <bloomery/version.hpp>
