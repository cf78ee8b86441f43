/// @file
/// The options of nvcc: their names, their argument, their effect here.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "driver/options.hpp"

namespace emucc {

/// The argument of an option. joined: it may also follow the name directly, as in -Idir; optional: only after `=`
enum class Argument { none, optional, needed, joined };

/// One option of nvcc. An option without an effect is accepted, and -v reports that.
struct Option {
  std::vector<std::string> names;
  Argument argument = Argument::none;
  std::function<void(Options&, const std::string& value)> effect;
  std::string help = {};
};

const std::vector<Option>& option_table();

}  // namespace emucc
