// Both scripts are a table of commands and options inside a fixed frame. A command that has a LAB is
// completed with `grader list
// --names`; options with a fixed set of values with these; DIR and FILE with files.
#include "cli/completion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace grader {
namespace {

/// An option as a shell sees it.
struct Word {
  std::vector<std::string> names;  ///< "-l", "--level"
  std::string description;
  std::string type;                 ///< "LAB", "FILE", …; empty for a flag
  std::vector<std::string> values;  ///< when they are a fixed set
};

struct CommandWords {
  std::string name, description;
  std::vector<Word> options;
  Word positional;  ///< of the command's arguments; no type when there are none
};

/// The values in CLI11's description of a set, "{emu,gpu}".
std::vector<std::string> values_in(const std::string& type) {
  const std::size_t open = type.find('{'), close = type.find('}');
  std::vector<std::string> out;
  if (open == std::string::npos || close == std::string::npos || close < open) return out;
  std::string set = type.substr(open + 1, close - open - 1);
  for (std::size_t at = 0; at <= set.size();) {
    const std::size_t end = std::min(set.find(',', at), set.size());
    out.push_back(set.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

Word word_of(const CLI::Option& option) {
  Word word;
  for (const std::string& name : option.get_snames()) word.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) word.names.push_back("--" + name);
  word.description = option.get_description();
  if (option.get_expected_max() == 0) return word;
  const std::string type = option.get_type_name();  // "FORM:{text,md}": the name, then what its checks say
  word.type = type.substr(0, type.find(':'));
  word.values = values_in(type);
  return word;
}

CommandWords words_of(const CLI::App& command) {
  CommandWords out;
  out.name = command.get_name();
  out.description = command.get_description();
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) {
      out.positional = word_of(*option);
    } else {
      out.options.push_back(word_of(*option));
    }
  }
  return out;
}

std::vector<CommandWords> all_commands(const CLI::App& app) {
  std::vector<CommandWords> out;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    out.push_back(words_of(*command));
  return out;
}

std::string join(const std::vector<std::string>& words, const char* between = " ") {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : between) + word;
  return out;
}

/// The bash expression that completes a value, or nothing.
std::string bash_values(const Word& word) {
  if (!word.values.empty())
    return fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$cur\"))", join(word.values));
  if (word.type == "LAB") return "COMPREPLY=($(compgen -W \"$(_grader_labs)\" -- \"$cur\"))";
  if (word.type == "DIR") return "compopt -o filenames; COMPREPLY=($(compgen -d -- \"$cur\"))";
  if (word.type == "FILE") return "compopt -o filenames; COMPREPLY=($(compgen -f -- \"$cur\"))";
  return ":";
}

/// For zsh's _arguments, within single quotes: brackets and colons are its own.
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

std::string zsh_values(const Word& word) {
  if (word.type.empty()) return "";
  if (!word.values.empty()) return fmt::format(":{}:({})", word.type, join(word.values));
  if (word.type == "LAB") return ":lab:_grader_labs";
  if (word.type == "DIR") return ":folder:_files -/";
  if (word.type == "FILE") return ":file:_files";
  return fmt::format(":{}: ", word.type);
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
  const std::vector<CommandWords> commands = all_commands(app);
  std::vector<std::string> names;
  std::string options, values, arguments;
  for (const CommandWords& command : commands) {
    names.push_back(command.name);
    std::vector<std::string> words;
    for (const Word& option : command.options) {
      words.insert(words.end(), option.names.begin(), option.names.end());
      if (option.type.empty()) continue;
      std::vector<std::string> patterns;
      for (const std::string& name : option.names) patterns.push_back(command.name + ":" + name);
      values += fmt::format("    {}) {}; return ;;\n", join(patterns, "|"), bash_values(option));
    }
    options += fmt::format("    {}) options='{}' ;;\n", command.name, join(words));
    arguments += fmt::format("    {}) {} ;;\n", command.name, bash_values(command.positional));
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

std::string zsh_completion(const CLI::App& app) {
  std::string commands, cases;
  for (const CommandWords& command : all_commands(app)) {
    commands += fmt::format("    '{}:{}'\n", command.name, zsh_escape(command.description));
    std::string specs;
    for (const Word& option : command.options) {
      // "(-l --level)"{-l,--level}"[words]": one option under several names, offered once.
      const std::string names = option.names.size() > 1
                                    ? fmt::format("'({})'{{{}}}", join(option.names), join(option.names, ","))
                                    : option.names.front();
      specs +=
          fmt::format(" \\\n        {}'[{}]{}'", names, zsh_escape(option.description), zsh_values(option));
    }
    if (!command.positional.type.empty())
      specs += fmt::format(" \\\n        '*{}'", zsh_values(command.positional));
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
                     commands, cases);
}

}  // namespace grader
