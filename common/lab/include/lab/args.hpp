/// @file
/// The command line of a lab's program: the handout's arguments, and the options that the grader uses.
///
///     program [arguments of the handout] [--input FILE]… [--output FILE] [--seed N] [--help]
///
/// A program declares its arguments, calls parse(), and reads the values.
/// Every mistake ends the program with exit code 2 and one sentence that names the expected value. The program never
/// sees a value outside its range. Names and explanations must outlive the Args, as literals do. Host code only.
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
#include "inline.hpp"

namespace lab {

/// Declared arguments and their values.
class Args {
 public:
  /// @param program  its name, for messages
  /// @param summary  one line that says what the program does
  LAB_COLD Args(const char* program, const char* summary);
  LAB_COLD ~Args();
  Args(const Args&);
  Args& operator=(const Args&) = delete;

  /// Declares the next positional argument. @param preset its value if the command line has no such argument
  LAB_COLD Args& argument(const char* name, const char* help, std::string_view preset);

  /// Declares that any number of words may follow the positional arguments; words() returns them.
  LAB_COLD Args& rest(const char* name, const char* help);

  /// Declares an option with a value, `--name VALUE` or `--name=VALUE`.
  LAB_COLD Args& option(const char* name, const char* value_name, const char* help, std::string_view preset);

  /// Declares an option without a value; has() returns whether the command line has the option.
  LAB_COLD Args& flag(const char* name, const char* help);

  /// Declares a letter for an option: with ('o', "output"), `-o FILE` means `--output FILE`.
  LAB_COLD Args& letter(char letter, const char* name);

  /// Declares that the program reads arrays: `--input FILE`, once for each name, in this order.
  LAB_COLD Args& reads(std::initializer_list<const char*> names);

  /// Declares that the program writes its result to a file: `--output FILE`.
  LAB_COLD Args& writes(const char* name);

  /// Reads the command line. Ends the program for `--help` (exit code 0) and for undeclared arguments or options (exit
  /// code 2).
  LAB_COLD void parse(int argc, const char* const* argv);

  /// Returns the value of a declared argument or option, as text.
  const std::string& text(const char* name) const { return find(name).value; }

  /// Returns whether the option or argument has a value, from the command line or from a preset that is not empty.
  bool has(const char* name) const { return !text(name).empty(); }

  /// Returns a value as a whole number in [least, most]. Any other text ends the program.
  /// @param why_most  why there is an upper limit; the message contains it; may be empty
  LAB_COLD std::int64_t integer(const char* name, std::int64_t least, std::int64_t most,
                                const char* why_most = "") const;

  /// Returns a value as 1 to `most_numbers` whole numbers in [least, most], separated by commas: "2,1,1".
  LAB_COLD std::vector<std::int64_t> integers(const char* name, std::size_t most_numbers, std::int64_t least,
                                              std::int64_t most) const;

  /// Returns a value as a number in [least, most], such as 0.005. Any other text ends the program.
  LAB_COLD double real(const char* name, double least, double most) const;

  /// Returns the words after the positional arguments, if rest() allows them.
  const std::vector<std::string>& words() const { return words_; }

  /// Input files in the order of reads(). Empty: the program makes its own inputs.
  const std::vector<std::string>& inputs() const { return inputs_; }
  /// Output file; empty without --output.
  const std::string& output() const { return output_; }
  /// Seed of the program's own inputs.
  std::uint64_t seed() const { return seed_; }

  /// Prints the sentence and how to get help, then ends the program with exit code 2.
  [[noreturn, gnu::cold]] void fail(const std::string& sentence) const;

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
                         const char* help, std::string_view preset);

  /// Returns the word without its short form: "-o" → "--output"; every other word remains unchanged.
  LAB_COLD std::string without_letter(std::string_view word) const;

  LAB_COLD bool is_flag(const std::string& name) const;

  /// Reads all of `word` as a decimal integer.
  static bool whole_number(const std::string& word, std::int64_t& number);

  LAB_COLD std::int64_t checked_integer(const std::string& what, const std::string& value, std::int64_t least,
                                        std::int64_t most, const char* why_most) const;

  LAB_COLD void set_option(const std::string& name, const std::string& value);

  LAB_COLD const Declared& find(std::string_view name) const;

  /// Returns the kind of an array's file, for the help text. A name with a point means a file of the program's own
  /// format.
  LAB_COLD static std::string kind_of(std::string_view name);

  /// "0.5", "100".
  LAB_COLD static std::string short_text(double number);

  static std::string times(std::size_t count);

  LAB_COLD std::string joined_inputs() const;

  /// Prints an option's line: "  -o, --output FILE  help [preset]".
  LAB_COLD void print_option(const char* name, const char* value_name, const char* help,
                             const std::string& preset) const;

  LAB_COLD static void print_line(const char* left, const char* help, const std::string& preset);

  [[noreturn, gnu::cold]] void print_help() const;

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

#ifndef LAB_LIBRARY
#include "impl/args.hpp"
#endif
