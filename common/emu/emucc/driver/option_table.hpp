/// @file
/// The options of nvcc: their names, their arguments and their effects in emucc.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "driver/options.hpp"

namespace emucc {

/// The kind of an option's argument. A joined argument may also follow the name directly, as in -Idir. An
/// optional argument can only be given after `=`.
enum class Argument { none, optional, needed, joined };

/// An option of nvcc. emucc also accepts options that have no effect here, and -v reports them.
struct Option {
  std::vector<std::string> names;
  Argument argument = Argument::none;
  std::function<void(Options&, const std::string& value)> effect;
  std::string help = {};
};

const std::vector<Option>& option_table();

}  // namespace emucc
