/// @file
/// The command line of a lab's program: the handout's arguments, and the options that the grader uses.
///
///     program [arguments of the handout] [--input FILE]… [--output FILE] [--seed N] [--help]
///
/// A program declares what it takes, parses, and asks for values.
/// Whatever is wrong ends it with exit code 2 and one sentence that says what was expected;
/// no value that is out of its range ever reaches the program. Host code only.
#pragma once
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "exit.hpp"

namespace lab {

/// Declared arguments and their values.
class Args {
 public:
  /// @param program  its name, for messages
  /// @param summary  one line that says what the program does
  LAB_COLD Args(std::string program, std::string summary)
      : program_(std::move(program)), summary_(std::move(summary)) {}

  /// Declares the next positional argument. @param preset its value when it is not given
  LAB_COLD Args& argument(const std::string& name, const std::string& help, const std::string& preset) {
    positionals_.push_back({name, help, preset, ""});
    return *this;
  }

  /// Declares that any number of words may follow the positional arguments: words() has them.
  LAB_COLD Args& rest(const std::string& name, const std::string& help) {
    rest_name_ = name;
    rest_help_ = help;
    return *this;
  }

  /// Declares an option with a value, `--name VALUE` or `--name=VALUE`.
  LAB_COLD Args& option(const std::string& name, const std::string& value_name, const std::string& help,
                        const std::string& preset) {
    options_.push_back({name, help, preset, value_name});
    return *this;
  }

  /// Declares an option without a value; has() says whether it was given.
  LAB_COLD Args& flag(const std::string& name, const std::string& help) {
    options_.push_back({name, help, "", ""});
    return *this;
  }

  /// Declares a letter for an option: with ('o', "output"), `-o FILE` is `--output FILE`.
  LAB_COLD Args& letter(char letter, const std::string& name) {
    letters_.push_back({std::string("-") + letter, name});
    return *this;
  }

  /// Declares that the program reads arrays: `--input FILE`, once for each name, in this order.
  LAB_COLD Args& reads(const std::vector<std::string>& names) {
    input_names_ = names;
    return *this;
  }

  /// Declares that the program writes its result: `--output FILE`.
  LAB_COLD Args& writes(const std::string& name) {
    output_name_ = name;
    return *this;
  }

  /// Reads the command line. Ends the program for `--help` (exit code 0)
  /// and for anything that was not declared (2).
  LAB_COLD void parse(int argc, const char* const* argv) {
    std::size_t next_positional = 0;
    for (int i = 1; i < argc; ++i) {
      const std::string word = without_letter(argv[i]);
      if (word == "--help" || word == "-h") print_help();
      if (word.rfind("--", 0) != 0) {
        if (next_positional < positionals_.size()) {
          positionals_[next_positional++].value = word;
        } else if (!rest_name_.empty()) {
          words_.push_back(word);
        } else {
          fail("unexpected argument '" + word + "'");
        }
        continue;
      }
      const std::size_t equals = word.find('=');
      const std::string name = word.substr(2, equals == std::string::npos ? equals : equals - 2);
      std::string value;
      if (is_flag(name)) {
        if (equals != std::string::npos) fail("--" + name + " takes no value");
        value = "1";
      } else if (equals != std::string::npos) {
        value = word.substr(equals + 1);
      } else if (i + 1 < argc) {
        value = argv[++i];
      } else {
        fail("--" + name + " needs a value");
      }
      set_option(name, value);
    }
    if (!inputs_.empty() && inputs_.size() != input_names_.size()) {
      fail("--input was given " + times(inputs_.size()) + ", but is needed " + times(input_names_.size()) +
           ": " + joined(input_names_));
    }
  }

  /// Value of a declared argument or option, as text.
  const std::string& text(const std::string& name) const { return find(name).value; }

  /// Was the option or argument given, or does it have a preset that is not empty?
  bool has(const std::string& name) const { return !text(name).empty(); }

  /// Value as a whole number in [least, most]; anything else ends the program.
  /// @param why_most  why there is an upper limit, for the message; may be empty
  LAB_COLD std::int64_t integer(const std::string& name, std::int64_t least, std::int64_t most,
                                const std::string& why_most = "") const {
    return checked_integer(name, text(name), least, most, why_most);
  }

  /// Value as one to `most_numbers` whole numbers with commas between them, "2,1,1"; each in [least, most].
  LAB_COLD std::vector<std::int64_t> integers(const std::string& name, std::size_t most_numbers,
                                              std::int64_t least, std::int64_t most) const {
    std::vector<std::int64_t> numbers;
    const std::string& list = text(name);
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t comma = list.find(',', begin);
      const std::size_t end = comma == std::string::npos ? list.size() : comma;
      numbers.push_back(
          checked_integer("each number of " + name, list.substr(begin, end - begin), least, most, ""));
      begin = end + 1;
    }
    if (numbers.size() > most_numbers) {
      fail(name + " must be at most " + std::to_string(most_numbers) +
           " numbers with commas between them, but is '" + list + "'");
    }
    return numbers;
  }

  /// Value as a number in [least, most], such as 0.005; anything else ends the program.
  LAB_COLD double real(const std::string& name, double least, double most) const {
    const std::string& value = text(name);
    char* end = nullptr;
    const double number = std::strtod(value.c_str(), &end);  // saturates to infinity, which is above `most`
    if (value.empty() || *end != '\0' || std::isnan(number))
      fail(name + " must be a number such as 0.5, but is '" + value + "'");
    if (number < least) fail(name + " must be at least " + short_text(least) + ", but is " + value);
    if (number > most) fail(name + " must be at most " + short_text(most) + ", but is " + value);
    return number;
  }

  /// What was given behind the positional arguments, where rest() allows it.
  const std::vector<std::string>& words() const { return words_; }

  /// Input files in the order of reads(); empty when the program is to make its own.
  const std::vector<std::string>& inputs() const { return inputs_; }
  /// Output file; empty when none was asked for.
  const std::string& output() const { return output_; }
  /// Seed of the program's own inputs.
  std::uint64_t seed() const { return seed_; }

  /// Ends the program with exit code 2: the sentence, and how to get help.
  [[noreturn, gnu::cold]] void fail(const std::string& sentence) const {
    usage_error(program_ + ": " + sentence + ".\nTry: " + program_ + " --help");
  }

 private:
  struct Declared {
    std::string name, help, value, value_name;
  };

  /// "-o" → "--output"; every other word as it is.
  LAB_COLD std::string without_letter(const std::string& word) const {
    for (const auto& [letter, name] : letters_) {
      if (word == letter) return "--" + name;
    }
    return word;
  }

  LAB_COLD bool is_flag(const std::string& name) const {
    for (const Declared& option : options_) {
      if (option.name == name) return option.value_name.empty();
    }
    return false;
  }

  /// Reads all of `word` as a decimal integer.
  static bool whole_number(const std::string& word, std::int64_t& number) {
    const std::size_t digits = word.size() - (word.rfind('-', 0) == 0 ? 1 : 0);
    if (digits == 0 || word.find_first_not_of("0123456789", word.size() - digits) != std::string::npos)
      return false;
    errno = 0;
    number = std::strtoll(word.c_str(), nullptr,
                          10);  // saturates, so that a huge number is "at most …", not garbage
    return true;
  }

  LAB_COLD std::int64_t checked_integer(const std::string& what, const std::string& value, std::int64_t least,
                                        std::int64_t most, const std::string& why_most) const {
    std::int64_t number = 0;
    if (!whole_number(value, number)) {
      fail(what + " must be a whole number" + (least >= 0 ? " of at least " + std::to_string(least) : "") +
           ", but is '" + value + "'");
    }
    if (number < least) fail(what + " must be at least " + std::to_string(least) + ", but is " + value);
    if (number > most) {
      fail(what + " must be at most " + std::to_string(most) +
           (why_most.empty() ? "" : " (" + why_most + ")") + ", but is " + value);
    }
    return number;
  }

  LAB_COLD void set_option(const std::string& name, const std::string& value) {
    if (name == "input" && !input_names_.empty()) {
      inputs_.push_back(value);
    } else if (name == "output" && !output_name_.empty()) {
      output_ = value;
    } else if (name == "seed") {
      const bool digits = !value.empty() && value.find_first_not_of("0123456789") == std::string::npos;
      errno = 0;
      seed_ = std::strtoull(value.c_str(), nullptr, 10);
      if (!digits || errno == ERANGE)
        fail("--seed must be a whole number from 0 to 2^64 - 1, but is '" + value + "'");
    } else {
      for (Declared& option : options_) {
        if (option.name == name) {
          option.value = value;
          return;
        }
      }
      fail("unknown option --" + name);
    }
  }

  LAB_COLD const Declared& find(const std::string& name) const {
    for (const Declared& argument : positionals_) {
      if (argument.name == name) return argument;
    }
    for (const Declared& option : options_) {
      if (option.name == name) return option;
    }
    stop(exit_usage, program_ + ": the program asks for '" + name + "', which it has not declared.");
  }

  /// A name with a point is a file of the program's own format.
  LAB_COLD static std::string kind_of(const std::string& name) {
    return name.find('.') == std::string::npos ? ".npy file, " : "file, ";
  }

  /// "0.5", "100".
  LAB_COLD static std::string short_text(double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", number);
    return text;
  }

  static std::string times(std::size_t count) {
    return count == 1 ? "once" : std::to_string(count) + " times";
  }

  LAB_COLD static std::string joined(const std::vector<std::string>& names) {
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
    return all;
  }

  [[noreturn, gnu::cold]] void print_help() const {
    std::printf("%s: %s\n\nusage: %s", program_.c_str(), summary_.c_str(), program_.c_str());
    for (const Declared& argument : positionals_) std::printf(" [%s]", argument.name.c_str());
    if (!rest_name_.empty()) std::printf(" [%s]...", rest_name_.c_str());
    std::printf(" [options]\n\n");
    const auto line = [this](std::string left, const std::string& help, const std::string& preset) {
      for (const auto& [letter, name] : letters_) {
        if (left == "--" + name || left.rfind("--" + name + " ", 0) == 0) left = letter + ", " + left;
      }
      std::printf("  %-18s %s%s\n", left.c_str(), help.c_str(),
                  preset.empty() ? "" : (" [" + preset + "]").c_str());
    };
    for (const Declared& argument : positionals_) line(argument.name, argument.help, argument.value);
    if (!rest_name_.empty()) line(rest_name_, rest_help_, "");
    for (const Declared& option : options_)
      line("--" + option.name + (option.value_name.empty() ? "" : " ") + option.value_name, option.help,
           option.value);
    if (!input_names_.empty()) {
      line("--input FILE",
           kind_of(input_names_[0]) + "once for each of " + joined(input_names_) +
               "; else they are drawn at random",
           "");
    }
    if (!output_name_.empty()) {
      line("--output FILE",
           kind_of(output_name_) + "written with " + output_name_ + " instead of checking it", "");
    }
    line("--seed N", "seed of the random numbers", std::to_string(seed_));
    line("--help", "this text", "");
    std::exit(exit_passed);
  }

  std::string program_, summary_;
  std::vector<Declared> positionals_, options_;
  std::vector<std::pair<std::string, std::string>> letters_;  // {"-o", "output"}
  std::string rest_name_, rest_help_;
  std::vector<std::string> words_;
  std::vector<std::string> input_names_, inputs_;
  std::string output_name_, output_;
  std::uint64_t seed_ = 1;
};

}  // namespace lab
