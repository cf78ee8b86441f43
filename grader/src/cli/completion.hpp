/// @file
/// Shell completion, made from the declared commands, so that it can't lag behind them.
/// Labs are asked from the program itself.
#pragma once
#include <CLI/CLI.hpp>
#include <string>

namespace grader {

/// A script for bash to source.
std::string bash_completion(const CLI::App& app);

/// A function file `_grader` for a folder in zsh's fpath; it can be sourced too.
std::string zsh_completion(const CLI::App& app);

}  // namespace grader
