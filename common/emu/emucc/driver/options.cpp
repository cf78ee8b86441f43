#include "driver/options.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "driver/option_table.hpp"
#include "driver/words.hpp"

namespace emucc {
namespace {

std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

std::string without_dashes(const std::string& name) {
  return name.substr(std::min(name.find_first_not_of('-'), name.size()));
}

[[noreturn]] void unknown_option(const std::string& given) {
  const std::string name = given.substr(0, given.find('='));
  static const std::vector<std::string> host = {"-W",        "-f",    "-m",    "-pthread", "-static",
                                                "-rdynamic", "-pipe", "-ansi", "-pedantic"};
  std::string best;
  std::size_t least = 3;
  for (const auto& option : option_table()) {
    for (const auto& known : option.names) {
      const std::size_t d = distance(without_dashes(name), without_dashes(known));
      if (d < least && without_dashes(known).size() > d + 1) {
        least = d;
        best = known;
      }
    }
  }
  if (!best.empty()) throw UsageError("the option '" + given + "' is not known: did you mean " + best + "?");
  for (const auto& prefix : host) {
    if (given.rfind(prefix, 0) == 0)
      throw UsageError("the option '" + given + "' is the host compiler's: write -Xcompiler " + given);
  }
  throw UsageError("the option '" + given + "' is not known: emucc --help lists what is");
}

Language language_of(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  const std::string ending = dot == path.npos ? "" : path.substr(dot);
  if (ending == ".cu") return Language::cuda;
  if (ending == ".cpp" || ending == ".cc" || ending == ".cxx" || ending == ".C" || ending == ".c++" ||
      ending == ".ii")
    return Language::cxx;
  if (ending == ".c") return Language::c;
  const bool object = ending == ".o" || ending == ".a" || ending == ".so" || ending == ".obj" ||
                      path.find(".so.") != path.npos;
  if (object) return Language::object;
  return Language::unknown;
}

std::vector<std::string> read_response_file(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw UsageError("the response file '" + path + "' can't be read");
  std::ostringstream text;
  text << in.rdbuf();
  return shell_words(text.str());
}

/// Returns the flags that the environment adds to every command line. As in nvcc, only blanks separate them,
/// and no character is special.
std::vector<std::string> flags_of_environment(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? std::vector<std::string>() : split(text, " \t\n");
}

void expand(const std::vector<std::string>& arguments, std::vector<std::string>& into, int depth) {
  if (depth > 16)
    throw UsageError("response files include one another without end: begin with '" + arguments.front() +
                     "'");
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto& argument = arguments[i];
    if (argument.size() > 1 && argument[0] == '@') {
      expand(read_response_file(argument.substr(1)), into, depth + 1);
    } else if ((argument == "-optf" || argument == "--options-file") && i + 1 < arguments.size()) {
      for (const auto& file : split(arguments[++i], ",")) expand(read_response_file(file), into, depth + 1);
    } else {
      into.push_back(argument);
    }
  }
}

const std::map<std::string, const Option*>& option_index() {
  static const std::map<std::string, const Option*> index = [] {
    std::map<std::string, const Option*> all;
    for (const auto& option : option_table()) {
      for (const auto& name : option.names) all.emplace(name, &option);
    }
    return all;
  }();
  return index;
}

/// Finds the option that an argument names. Stores the option's value if the argument contains it.
const Option* find_option(const std::string& argument, std::string& value, bool& has_value) {
  const auto& index = option_index();
  if (const auto found = index.find(argument); found != index.end()) return found->second;
  const std::size_t equals = argument.find('=');
  if (equals != argument.npos) {
    const auto found = index.find(argument.substr(0, equals));
    if (found != index.end() && found->second->argument != Argument::none) {
      value = argument.substr(equals + 1);
      has_value = true;
      return found->second;
    }
  }
  if (argument.size() > 2 && argument[1] != '-') {
    const auto found = index.find(argument.substr(0, 2));
    const bool number = argument[1] != 't' || std::isdigit(static_cast<unsigned char>(argument[2]));
    if (found != index.end() && found->second->argument == Argument::joined && number) {
      value = argument.substr(2);
      has_value = true;
      return found->second;
    }
  }
  return nullptr;
}

Language language_named(const std::string& name) {
  if (name == "cu" || name == "cuda") return Language::cuda;
  if (name == "c++") return Language::cxx;
  if (name == "c") return Language::c;
  throw UsageError("the language '" + name + "' is not known: -x takes cu, c++ or c");
}

}  // namespace

Options read_options(const std::vector<std::string>& given) {
  std::vector<std::string> arguments;
  expand(flags_of_environment("NVCC_PREPEND_FLAGS"), arguments, 0);
  expand(given, arguments, 0);
  expand(flags_of_environment("NVCC_APPEND_FLAGS"), arguments, 0);
  Options options;
  if (const char* arch = std::getenv("CUEMU_ARCH")) {
    options.architecture = std::atoi(arch);
    if (options.architecture < 100 || options.architecture > 9999) {
      throw UsageError("CUEMU_ARCH is '" + std::string(arch) +
                       "', but should be a value of __CUDA_ARCH__ like 900");
    }
  }
  std::string forced;  // -x
  std::vector<std::string> unknown;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument.empty() || argument[0] != '-' || argument == "-") {
      options.inputs.push_back({argument, Language::object});
      options.inputs.back().language =
          forced.empty() || (argument.size() > 2 && argument.substr(argument.size() - 2) == ".o")
              ? language_of(argument)
              : language_named(forced);
      continue;
    }
    std::string value;
    bool has_value = false;
    const Option* option = find_option(argument, value, has_value);
    if (option == nullptr) {
      unknown.push_back(argument);
      continue;
    }
    const bool needs_value = option->argument == Argument::needed || option->argument == Argument::joined;
    if (needs_value && !has_value) {
      if (i + 1 == arguments.size()) throw UsageError("the option " + argument + " needs a value after it");
      value = arguments[++i];
    }
    if (option->names.front() == "-x") {
      language_named(value);
      forced = value;
    } else if (option->effect) {
      option->effect(options, value);
    } else {
      options.notes.push_back(argument + " has no meaning in the emulation");
    }
  }
  std::string no_value;
  bool no_value_given = false;
  for (const auto& argument : unknown) {
    if (!options.forward_unknown) unknown_option(argument);
    find_option("-Xcompiler", no_value, no_value_given)->effect(options, argument);
  }
  return options;
}

std::string help_text() {
  std::ostringstream out;
  out << "emucc compiles CUDA C++ for this machine's CPU. It takes nvcc's command line:\n"
         "  emucc [options] file.cu … -o program\n\n";
  for (const auto& option : option_table()) {
    if (option.help.empty()) continue;
    std::string names = option.names[0];
    if (option.names.size() > 1) names += ", " + option.names[1];
    names += option.argument == Argument::none ? "" : " VALUE";
    out << "  " << names << std::string(names.size() < 36 ? 36 - names.size() : 1, ' ') << option.help
        << "\n";
  }
  out << "\nOther options of nvcc are accepted where they have no meaning here; -v says which.\n"
         "Environment: CUEMU_HOST_CXX (host compiler), CUEMU_ARCH (__CUDA_ARCH__), CUEMU_CACHE (folder of "
         "precompiled headers), NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS (more options).\n";
  return out.str();
}

}  // namespace emucc
