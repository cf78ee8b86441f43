/// @file
/// Reads parameters from a file, for programs with many parameters. A file sets the presets of the command line; the
/// command line may still override them.
///
///     const lab::Presets presets = lab::with_parameter_file(argc, argv, {{"N", "8192"}, {"dump-ratio", "1"}});
///     args.argument("N", "balls", presets.at("N"));
///     args.option("parameters", "FILE", "read parameters from a file: lines like N = 8192", "");
///
/// The file is text: lines `name = value`; # begins a comment. The names are those of the presets, in upper or lower
/// case and with - or _: DUMP_RATIO means dump-ratio. The program checks a value when it reads the value. Every fault
/// of the file ends the program with one sentence (exit code 2). Host code only.
#pragma once
#include <cctype>
#include <fstream>
#include <map>
#include <string>

#include "exit.hpp"

namespace lab {

/// Names of parameters, and their default values.
using Presets = std::map<std::string, std::string>;

namespace detail {

inline std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

inline std::string plain_name(std::string name) {
  for (char& c : name) c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

}  // namespace detail

/// Reads a parameter file into the presets.
LAB_COLD inline void read_parameter_file(const std::string& path, Presets& presets) {
  std::ifstream file(path);
  std::string line;
  if (!file || !std::getline(file, line))
    usage_error("Parameter file " + path +
                " can't be read, or is empty. Give a text file with lines like N = 8192.");
  int number = 0;
  do {
    ++number;
    const auto fail = [&](const std::string& problem) {
      usage_error("Parameter file " + path + ", line " + std::to_string(number) + ": " + problem);
    };
    if (line.size() > 1000 || line.find('\0') != std::string::npos)
      fail("this is no text. Give a file with lines like N = 8192.");
    line = detail::trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    const std::size_t equals = line.find('=');
    const std::string value = equals == std::string::npos ? "" : detail::trimmed(line.substr(equals + 1));
    if (value.empty()) fail("expected name = value, but found '" + line.substr(0, 40) + "'.");
    const std::string name = detail::plain_name(detail::trimmed(line.substr(0, equals)));
    std::string all;
    bool known = false;
    for (auto& [preset, preset_value] : presets) {
      all += (all.empty() ? "" : ", ") + preset;
      if (detail::plain_name(preset) != name) continue;
      preset_value = value;
      known = true;
    }
    if (!known) fail("there is no parameter '" + name.substr(0, 40) + "'; there are " + all + ".");
  } while (std::getline(file, line));
}

/// Returns the presets. The file that `--parameters FILE` names overrides them if the command line has that option.
LAB_COLD inline Presets with_parameter_file(int argc, const char* const* argv, Presets presets) {
  const std::string option = "--parameters";
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == option && i + 1 < argc) read_parameter_file(argv[i + 1], presets);
    if (word.rfind(option + "=", 0) == 0) read_parameter_file(word.substr(option.size() + 1), presets);
  }
  return presets;
}

}  // namespace lab
