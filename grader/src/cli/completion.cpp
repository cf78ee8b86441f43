// Each script is a fixed frame with a table of commands and options. LAB is completed from `grader list
// --names`, an option with fixed values from these values, and DIR, FOLDER and FILE from file names.
#include "cli/completion.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace grader {
namespace {

std::string join(const std::vector<std::string>& words, const char* between = " ") {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : between) + word;
  return out;
}

bool is_folder(const Option& option) {
  return option.type == "DIR" || option.type == "FOLDER";
}

/// The option that every command has.
Option help_option() {
  return {.names = "-h,--help", .help = "Print this help"};
}

/// The first argument, which determines how bash completes words that are not options.
const Option* first_argument(const Command& command) {
  const auto found = std::find_if(command.options.begin(), command.options.end(),
                                  [](const Option& option) { return option.is_argument(); });
  return found == command.options.end() ? nullptr : &*found;
}

/// The bash expression that completes a value. Empty if bash can't complete it.
std::string bash_values(const Option& option) {
  if (!option.choices.empty())
    return fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$cur\"))", join(option.choices));
  if (option.type == "LAB") return "COMPREPLY=($(compgen -W \"$(_grader_labs)\" -- \"$cur\"))";
  if (is_folder(option)) return "compopt -o filenames; COMPREPLY=($(compgen -d -- \"$cur\"))";
  if (option.type == "FILE") return "compopt -o filenames; COMPREPLY=($(compgen -f -- \"$cur\"))";
  return ":";
}

/// Escapes text within single quotes for zsh's _arguments, which interprets brackets and colons.
std::string zsh_escape(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_values(const Option& option) {
  if (option.type.empty()) return "";
  if (!option.choices.empty()) return fmt::format(":{}:({})", option.type, join(option.choices));
  if (option.type == "LAB") return ":lab:_grader_labs";
  if (is_folder(option)) return ":folder:_files -/";
  if (option.type == "FILE") return ":file:_files";
  return fmt::format(":{}: ", option.type);
}

/// One option for zsh's _arguments, such as '(-l --level)'{-l,--level}'[words]'. zsh offers it only once,
/// although it has several names.
std::string zsh_option(const Option& option) {
  const std::vector<std::string> all = option.all_names();
  const std::string names =
      all.size() > 1 ? fmt::format("'({})'{{{}}}", join(all), option.names) : all.front();
  return fmt::format(" \\\n        {}'[{}]{}'", names, zsh_escape(option.help), zsh_values(option));
}

std::string zsh_argument(const Option& option) {
  return fmt::format(" \\\n        '{}{}'", option.takes_many() ? "*" : "", zsh_values(option));
}

}  // namespace

std::string bash_completion(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  std::string options, values, arguments;
  for (const Command& command : commands) {
    names.push_back(command.name);
    for (const Option& option : command.options) {
      if (option.is_argument() || option.is_rest() || option.is_flag()) continue;
      std::vector<std::string> patterns;
      for (const std::string& name : option.all_names()) patterns.push_back(command.name + ":" + name);
      values += fmt::format("    {}) {}; return ;;\n", join(patterns, "|"), bash_values(option));
    }
    options += fmt::format("    {}) options='{}' ;;\n", command.name, join(option_names(command)));
    const Option* const argument = first_argument(command);
    arguments +=
        fmt::format("    {}) {} ;;\n", command.name, argument != nullptr ? bash_values(*argument) : ":");
  }
  return fmt::format(R"sh(# Completion of the grader for bash, made by: grader completion bash
_grader_labs() {{ grader list --names 2>/dev/null; }}

_grader() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}} command= options= word
  COMPREPLY=()
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case $word in -*) ;; *) command=$word; break ;; esac
  done
  if [ -z "$command" ]; then
    case $cur in
    -*) COMPREPLY=($(compgen -W '--help --version' -- "$cur")) ;;
    *) COMPREPLY=($(compgen -W "{} $(_grader_labs)" -- "$cur")) ;;
    esac
    return
  fi
  case $command in {}) ;; *) command=grade ;; esac
  case $command:$prev in
{}  esac
  if [ "${{cur#-}}" != "$cur" ]; then
    case $command in
{}    esac
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
    return
  fi
  case $command in
{}  esac
}}
complete -F _grader grader
)sh",
                     join(names), join(names, "|"), values, options, arguments);
}

std::string zsh_completion(const std::vector<Command>& commands) {
  std::string names, cases;
  for (const Command& command : commands) {
    names += fmt::format("    '{}:{}'\n", command.name, zsh_escape(command.summary));
    std::string specs = zsh_option(help_option());
    for (const Option& option : command.options) {
      if (!option.is_rest()) specs += option.is_argument() ? zsh_argument(option) : zsh_option(option);
    }
    cases += fmt::format("    {})\n      _arguments{} ;;\n", command.name, specs);
  }
  return fmt::format(R"sh(#compdef grader
# Completion of the grader for zsh, made by: grader completion zsh
_grader_labs() {{
  local -a labs
  labs=(${{(f)"$(grader list --names 2>/dev/null)"}})
  compadd -a labs
}}

_grader() {{
  local -a commands
  commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe -t commands command commands
    _grader_labs
    return
  fi
  local command=$words[2]
  if (( ! ${{commands[(I)$command:*]}} )); then
    command=grade
  else
    shift words
    (( CURRENT-- ))
  fi
  case $command in
{}  esac
}}

if [ "$funcstack[1]" = _grader ]; then _grader "$@"; else compdef _grader grader; fi
)sh",
                     names, cases);
}

}  // namespace grader
