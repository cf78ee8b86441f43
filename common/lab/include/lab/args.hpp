/// @file
/// The command line of a lab's program: the handout's arguments, and the options that the grader uses.
///
///     program [arguments of the handout] [--input FILE]… [--output FILE] [--seed N] [--help]
///
/// A program declares what it takes, parses, and asks for values.
/// Whatever is wrong ends it with exit code 2 and one sentence that says what was expected;
/// no value that is out of its range ever reaches the program. Names and explanations are literals: they must
/// live as long as the Args. Host code only.
#pragma once
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "exit.hpp"

namespace lab {

/// Declared arguments and their values.
class Args {
 public:
  /// @param program  its name, for messages
  /// @param summary  one line that says what the program does
  LAB_COLD Args(const char* program, const char* summary) : program_(program), summary_(summary) {}

  /// Declares the next positional argument. @param preset its value when it is not given
  LAB_COLD Args& argument(const char* name, const char* help, std::string_view preset) {
    return declare(positionals_, name, "", help, preset);
  }

  /// Declares that any number of words may follow the positional arguments: words() has them.
  LAB_COLD Args& rest(const char* name, const char* help) {
    rest_name_ = name;
    rest_help_ = help;
    return *this;
  }

  /// Declares an option with a value, `--name VALUE` or `--name=VALUE`.
  LAB_COLD Args& option(const char* name, const char* value_name, const char* help, std::string_view preset) {
    return declare(options_, name, value_name, help, preset);
  }

  /// Declares an option without a value; has() says whether it was given.
  LAB_COLD Args& flag(const char* name, const char* help) { return declare(options_, name, "", help, ""); }

  /// Declares a letter for an option: with ('o', "output"), `-o FILE` is `--output FILE`.
  LAB_COLD Args& letter(char letter, const char* name) {
    letters_.push_back({letter, name});
    return *this;
  }

  /// Declares that the program reads arrays: `--input FILE`, once for each name, in this order.
  LAB_COLD Args& reads(std::initializer_list<const char*> names) {
    input_names_ = names;
    return *this;
  }

  /// Declares that the program writes its result: `--output FILE`.
  LAB_COLD Args& writes(const char* name) {
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
        } else if (*rest_name_ != '\0') {
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
           ": " + joined_inputs());
    }
  }

  /// Value of a declared argument or option, as text.
  const std::string& text(const char* name) const { return find(name).value; }

  /// Was the option or argument given, or does it have a preset that is not empty?
  bool has(const char* name) const { return !text(name).empty(); }

  /// Value as a whole number in [least, most]; anything else ends the program.
  /// @param why_most  why there is an upper limit, for the message; may be empty
  LAB_COLD std::int64_t integer(const char* name, std::int64_t least, std::int64_t most,
                                const char* why_most = "") const {
    return checked_integer(name, text(name), least, most, why_most);
  }

  /// Value as one to `most_numbers` whole numbers with commas between them, "2,1,1"; each in [least, most].
  LAB_COLD std::vector<std::int64_t> integers(const char* name, std::size_t most_numbers, std::int64_t least,
                                              std::int64_t most) const {
    std::vector<std::int64_t> numbers;
    const std::string& list = text(name);
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t comma = list.find(',', begin);
      const std::size_t end = comma == std::string::npos ? list.size() : comma;
      numbers.push_back(checked_integer(std::string("each number of ") + name,
                                        list.substr(begin, end - begin), least, most, ""));
      begin = end + 1;
    }
    if (numbers.size() > most_numbers) {
      fail(std::string(name) + " must be at most " + std::to_string(most_numbers) +
           " numbers with commas between them, but is '" + list + "'");
    }
    return numbers;
  }

  /// Value as a number in [least, most], such as 0.005; anything else ends the program.
  LAB_COLD double real(const char* name, double least, double most) const {
    const std::string& value = text(name);
    char* end = nullptr;
    const double number = std::strtod(value.c_str(), &end);  // saturates to infinity, which is above `most`
    if (value.empty() || *end != '\0' || std::isnan(number))
      fail(std::string(name) + " must be a number such as 0.5, but is '" + value + "'");
    if (number < least || number > most)
      fail(std::string(name) + (number < least ? " must be at least " : " must be at most ") +
           short_text(number < least ? least : most) + ", but is " + value);
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
    usage_error(std::string(program_) + ": " + sentence + ".\nTry: " + program_ + " --help");
  }

 private:
  struct Declared {
    const char *name, *value_name, *help;
    std::string value;
  };
  struct Letter {
    char letter;
    const char* name;
  };

  LAB_COLD Args& declare(std::vector<Declared>& among, const char* name, const char* value_name,
                         const char* help, std::string_view preset) {
    among.push_back({name, value_name, help, std::string(preset)});
    return *this;
  }

  /// "-o" → "--output"; every other word as it is.
  LAB_COLD std::string without_letter(std::string_view word) const {
    for (const Letter& one : letters_) {
      if (word.size() == 2 && word[0] == '-' && word[1] == one.letter) return std::string("--") + one.name;
    }
    return std::string(word);
  }

  LAB_COLD bool is_flag(const std::string& name) const {
    for (const Declared& option : options_) {
      if (option.name == name) return *option.value_name == '\0';
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
                                        std::int64_t most, const char* why_most) const {
    std::int64_t number = 0;
    if (!whole_number(value, number)) {
      fail(what + " must be a whole number" + (least >= 0 ? " of at least " + std::to_string(least) : "") +
           ", but is '" + value + "'");
    }
    if (number < least) fail(what + " must be at least " + std::to_string(least) + ", but is " + value);
    if (number > most) {
      fail(what + " must be at most " + std::to_string(most) +
           (*why_most == '\0' ? "" : std::string(" (") + why_most + ")") + ", but is " + value);
    }
    return number;
  }

  LAB_COLD void set_option(const std::string& name, const std::string& value) {
    if (name == "input" && !input_names_.empty()) {
      inputs_.push_back(value);
    } else if (name == "output" && *output_name_ != '\0') {
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

  LAB_COLD const Declared& find(std::string_view name) const {
    for (const Declared& argument : positionals_) {
      if (argument.name == name) return argument;
    }
    for (const Declared& option : options_) {
      if (option.name == name) return option;
    }
    stop(exit_usage, std::string(program_) + ": the program asks for '" + std::string(name) +
                         "', which it has not declared.");
  }

  /// A name with a point is a file of the program's own format.
  LAB_COLD static std::string kind_of(std::string_view name) {
    return name.find('.') == name.npos ? ".npy file, " : "file, ";
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

  LAB_COLD std::string joined_inputs() const {
    std::string all;
    for (const char* name : input_names_) {
      if (!all.empty()) all += ", ";
      all += name;
    }
    return all;
  }

  /// "  -o, --output FILE  help [preset]"
  LAB_COLD void print_option(const char* name, const char* value_name, const char* help,
                             const std::string& preset) const {
    std::string left;
    for (const Letter& one : letters_) {
      if (std::string_view(one.name) == name) left = {'-', one.letter, ',', ' '};
    }
    left += "--";
    left += name;
    if (*value_name != '\0') left += ' ';
    left += value_name;
    print_line(left.c_str(), help, preset);
  }

  LAB_COLD static void print_line(const char* left, const char* help, const std::string& preset) {
    std::printf(preset.empty() ? "  %-18s %s\n" : "  %-18s %s [%s]\n", left, help, preset.c_str());
  }

  [[noreturn, gnu::cold]] void print_help() const {
    std::printf("%s: %s\n\nusage: %s", program_, summary_, program_);
    for (const Declared& argument : positionals_) std::printf(" [%s]", argument.name);
    if (*rest_name_ != '\0') std::printf(" [%s]...", rest_name_);
    std::printf(" [options]\n\n");
    for (const Declared& argument : positionals_) print_line(argument.name, argument.help, argument.value);
    if (*rest_name_ != '\0') print_line(rest_name_, rest_help_, "");
    for (const Declared& option : options_)
      print_option(option.name, option.value_name, option.help, option.value);
    if (!input_names_.empty()) {
      const std::string help = kind_of(input_names_[0]) + "once for each of " + joined_inputs() +
                               "; else they are drawn at random";
      print_option("input", "FILE", help.c_str(), "");
    }
    if (*output_name_ != '\0') {
      const std::string help =
          kind_of(output_name_) + "written with " + output_name_ + " instead of checking it";
      print_option("output", "FILE", help.c_str(), "");
    }
    print_option("seed", "N", "seed of the random numbers", std::to_string(seed_));
    print_option("help", "", "this text", "");
    std::exit(exit_passed);
  }

  const char *program_, *summary_;
  std::vector<Declared> positionals_, options_;
  std::vector<Letter> letters_;
  const char *rest_name_ = "", *rest_help_ = "";
  std::vector<std::string> words_;
  std::vector<const char*> input_names_;
  std::vector<std::string> inputs_;
  const char* output_name_ = "";
  std::string output_;
  std::uint64_t seed_ = 1;
};

}  // namespace lab
