// CLI11 splits the line into options and their values. This file checks the values, so that the grader reports each
// mistake in its own sentence. Only this file includes CLI11, whose compilation takes many seconds.
#include "cli/parse.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>

#include "catalog/catalog.hpp"
#include "cli/cli_session.hpp"

namespace grader {
namespace {

using Words = std::vector<std::string>;

/// An option, and the values that the line gives it.
struct Given {
  const Option& option;
  Words values;
  bool there = false;
};

[[noreturn]] void refuse(const Command& command, const std::string& sentence) {
  throw Error(ErrorKind::usage, sentence, fmt::format("grader {} --help", command.name));
}

std::string asking(const std::string& near) {
  return near.empty() ? "" : fmt::format(" Did you mean {}?", near);
}

bool is_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-';
}

/// Reports words that CLI11 could not place.
[[noreturn]] void refuse_unknown(const Command& command, const Words& words) {
  const Words names = option_names(command);
  // A mistyped option explains why the next word is unknown, but not vice versa.
  const auto option = std::find_if(words.begin(), words.end(), is_option);
  if (option != words.end()) {
    const std::string name = option->substr(0, option->find('='));
    refuse(command, fmt::format("grader {} has no option {}.{}", command.name, name,
                                name.size() > 2 ? asking(did_you_mean(name, names)) : ""));
  }
  refuse(command, fmt::format("\"{}\" is one word too many for grader {}.{}", words.front(), command.name,
                              asking(did_you_mean("--" + words.front(), names))));
}

/// "emu or gpu", "text, md or csv".
std::string alternatives(const Words& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i)
    out += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return out;
}

template <class Number>
std::string expected_number(const Option& option) {
  constexpr bool whole = std::is_integral_v<Number>;
  std::string words = whole ? "a whole number" : "a number";
  if (option.positive) words += whole ? " from 1" : " above 0";
  if (option.most > 0) return fmt::format("{} {} {}", words, whole ? "to" : "and up to", option.most);
  return option.positive && whole ? words + " on" : words;
}

template <class Number>
Number number(const Command& command, const Option& option, const std::string& word) {
  Number value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool read = error == std::errc{} && end == word.data() + word.size();
  if (!read || (option.positive && !(value > 0)) || (option.most > 0 && value > option.most))
    refuse(command,
           fmt::format("{} takes {}, not \"{}\".", option.name(), expected_number<Number>(option), word));
  return value;
}

void check_word(const Command& command, const Option& option, const std::string& word) {
  std::error_code ignored;
  if (option.existing_file && !std::filesystem::is_regular_file(word, ignored))
    refuse(command, fmt::format("{} names a file that is not there: {}.", option.name(), word));
  const Words& choices = option.choices;
  if (choices.empty() || std::find(choices.begin(), choices.end(), word) != choices.end()) return;
  refuse(command, fmt::format("{} takes {}, not \"{}\".{}", option.name(), alternatives(choices), word,
                              asking(did_you_mean(word, choices))));
}

/// Stores the values of one option.
struct Store {
  const Command& command;
  const Given& given;
  Session& session;

  const std::string& word() const { return given.values.back(); }

  void operator()(bool* target) const { *target = true; }
  void operator()(bool Session::*target) const { session.*target = true; }
  void operator()(std::string* target) const { *target = word(); }
  void operator()(std::optional<std::string>* target) const { *target = word(); }
  void operator()(Words* target) const { *target = given.values; }
  void operator()(const std::function<void(const std::string&)>& tell) const { tell(word()); }
  template <class Number>
  void operator()(Number* target) const {
    *target = number<Number>(command, given.option, word());
  }
  template <class Number>
  void operator()(std::optional<Number>* target) const {
    *target = number<Number>(command, given.option, word());
  }
};

/// Rejects missing or repeated values, and options that exclude each other.
void check_together(const Command& command, const std::vector<Given>& all) {
  for (const Given& given : all) {
    const Option& option = given.option;
    if (option.required && !given.there)
      refuse(command, fmt::format("{} is missing: {}.", option.name(), option.help));
    const bool has_value = std::any_of(given.values.begin(), given.values.end(),
                                       [](const std::string& value) { return value != "true"; });
    if (option.is_flag() && has_value) refuse(command, fmt::format("{} takes no value.", option.name()));
    if (given.values.size() > 1 && !option.is_flag() && !option.takes_many())
      refuse(command,
             fmt::format("{} is given {} times; it takes one value.", option.name(), given.values.size()));
    for (const Given& other : all) {
      const Words& excluded = option.excludes;
      if (given.there && other.there &&
          std::find(excluded.begin(), excluded.end(), other.option.name()) != excluded.end())
        refuse(command, fmt::format("{} and {} can't be used together.", option.name(), other.option.name()));
    }
  }
}

/// The message for an option at the end of the line without its value. @param last "--from", "-l", or "-vl"
std::string missing_value(const std::vector<Given>& all, const std::string& last) {
  for (const Given& given : all) {
    const Words names = given.option.all_names();
    const bool meant = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return last == name || (name.size() == 2 && last[1] != '-' && last.back() == name[1]);
    });
    if (meant)
      return fmt::format("{} needs a value, {}: {}.", given.option.name(), given.option.type,
                         given.option.help);
  }
  return fmt::format("{} needs a value.", last);
}

/// The words that CLI11 could not place. @throws CLI::ParseError for an option at the end without its value
Words split(std::vector<Given>& all, Words words, bool& help) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  const CLI::Option* const help_flag = app.add_flag("-h,--help");
  std::vector<const CLI::Option*> parsed;
  for (const Given& given : all) {
    const Option& option = given.option;
    CLI::Option* const one = option.is_flag() ? app.add_flag(option.names) : app.add_option(option.names);
    if (!option.is_flag()) one->expected(option.is_argument() && option.takes_many() ? -1 : 1);
    parsed.push_back(one->multi_option_policy(CLI::MultiOptionPolicy::TakeAll));
  }
  std::reverse(words.begin(), words.end());  // CLI11 takes words from the end of the list
  app.parse(words);
  help = help_flag->count() > 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].there = parsed[i]->count() > 0;
    all[i].values = parsed[i]->results();
  }
  Words unknown = app.remaining();
  unknown.erase(std::remove(unknown.begin(), unknown.end(), "--"), unknown.end());
  return unknown;
}

}  // namespace

Parsed parse(const Command& command, const Words& words, Session& session) {
  Words own = words;
  std::vector<Given> all;
  for (const Option& option : command.options) {
    if (!option.is_rest()) {
      all.push_back({option, {}, false});
      continue;
    }
    const auto dashes = std::find(own.begin(), own.end(), "--");
    if (dashes == own.end()) continue;
    *std::get<Words*>(option.value) = Words(dashes + 1, own.end());
    own.erase(dashes, own.end());
  }
  bool help = false;
  try {
    const Words unknown = split(all, own, help);
    if (help) return Parsed::to_help;
    if (!unknown.empty()) refuse_unknown(command, unknown);
  } catch (const CLI::ArgumentMismatch&) {
    // An option takes the word after it as its value, whatever it is. So only the last option can lack its
    // value.
    refuse(command, missing_value(all, own.back()));
  } catch (const CLI::ParseError& e) {
    refuse(command, e.what());
  }
  check_together(command, all);
  for (const Given& given : all) {
    if (!given.option.is_flag())
      for (const std::string& word : given.values) check_word(command, given.option, word);
    if (given.there) std::visit(Store{command, given, session}, given.option.value);
  }
  return Parsed::to_run;
}

}  // namespace grader
