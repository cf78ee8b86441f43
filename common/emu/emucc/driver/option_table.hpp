/// @file
/// The options of nvcc: their names, whether a value follows, what each does here.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "driver/options.hpp"

namespace emucc {

/// What stands behind the name of an option.
/// joined: it may also stand directly behind the name, as in -Idir; optional: behind `=` alone
enum class Argument { none, optional, needed, joined };

/// One option of nvcc: its names, whether a value follows, what it does. Without an effect it is accepted,
/// and -v says so.
struct Option {
  std::vector<std::string> names;
  Argument argument = Argument::none;
  std::function<void(Options&, const std::string& value)> effect;
  std::string help = {};
};

const std::vector<Option>& option_table();

}  // namespace emucc
