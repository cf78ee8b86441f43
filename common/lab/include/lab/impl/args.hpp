/// @file
/// Implements args.hpp.
#pragma once
#include "../args.hpp"

namespace lab {

LAB_INLINE Args::Args(const char* program, const char* summary) : program_(program), summary_(summary) {}

LAB_INLINE Args::Args(const Args&) = default;

LAB_INLINE Args::~Args() = default;

LAB_INLINE Args& Args::argument(const char* name, const char* help, std::string_view preset) {
  return declare(positionals_, name, "", help, preset);
}

LAB_INLINE Args& Args::rest(const char* name, const char* help) {
  rest_name_ = name;
  rest_help_ = help;
  return *this;
}

LAB_INLINE Args& Args::option(const char* name, const char* value_name, const char* help,
                              std::string_view preset) {
  return declare(options_, name, value_name, help, preset);
}

LAB_INLINE Args& Args::flag(const char* name, const char* help) {
  return declare(options_, name, "", help, "");
}

LAB_INLINE Args& Args::letter(char letter, const char* name) {
  letters_.push_back({letter, name});
  return *this;
}

LAB_INLINE Args& Args::reads(std::initializer_list<const char*> names) {
  input_names_ = names;
  return *this;
}

LAB_INLINE Args& Args::writes(const char* name) {
  output_name_ = name;
  return *this;
}

LAB_INLINE void Args::parse(int argc, const char* const* argv) {
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

LAB_INLINE std::int64_t Args::integer(const char* name, std::int64_t least, std::int64_t most,
                                      const char* why_most) const {
  return checked_integer(name, text(name), least, most, why_most);
}

LAB_INLINE std::vector<std::int64_t> Args::integers(const char* name, std::size_t most_numbers,
                                                    std::int64_t least, std::int64_t most) const {
  std::vector<std::int64_t> numbers;
  const std::string& list = text(name);
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t comma = list.find(',', begin);
    const std::size_t end = comma == std::string::npos ? list.size() : comma;
    numbers.push_back(checked_integer(std::string("each number of ") + name, list.substr(begin, end - begin),
                                      least, most, ""));
    begin = end + 1;
  }
  if (numbers.size() > most_numbers) {
    fail(std::string(name) + " must be at most " + std::to_string(most_numbers) +
         " numbers with commas between them, but is '" + list + "'");
  }
  return numbers;
}

LAB_INLINE double Args::real(const char* name, double least, double most) const {
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

LAB_INLINE void Args::fail(const std::string& sentence) const {
  usage_error(std::string(program_) + ": " + sentence + ".\nTry: " + program_ + " --help");
}

LAB_INLINE Args& Args::declare(std::vector<Declared>& among, const char* name, const char* value_name,
                               const char* help, std::string_view preset) {
  among.push_back({name, value_name, help, std::string(preset)});
  return *this;
}

LAB_INLINE std::string Args::without_letter(std::string_view word) const {
  for (const Letter& one : letters_) {
    if (word.size() == 2 && word[0] == '-' && word[1] == one.letter) return std::string("--") + one.name;
  }
  return std::string(word);
}

LAB_INLINE bool Args::is_flag(const std::string& name) const {
  for (const Declared& option : options_) {
    if (option.name == name) return *option.value_name == '\0';
  }
  return false;
}

LAB_INLINE bool Args::whole_number(const std::string& word, std::int64_t& number) {
  const std::size_t digits = word.size() - (word.rfind('-', 0) == 0 ? 1 : 0);
  if (digits == 0 || word.find_first_not_of("0123456789", word.size() - digits) != std::string::npos)
    return false;
  errno = 0;
  number = std::strtoll(word.c_str(), nullptr,
                        10);  // saturates, so that a huge number gets the message "at most …"
  return true;
}

LAB_INLINE std::int64_t Args::checked_integer(const std::string& what, const std::string& value,
                                              std::int64_t least, std::int64_t most,
                                              const char* why_most) const {
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

LAB_INLINE void Args::set_option(const std::string& name, const std::string& value) {
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

LAB_INLINE const Args::Declared& Args::find(std::string_view name) const {
  for (const Declared& argument : positionals_) {
    if (argument.name == name) return argument;
  }
  for (const Declared& option : options_) {
    if (option.name == name) return option;
  }
  stop(exit_usage, std::string(program_) + ": the program asks for '" + std::string(name) +
                       "', which it has not declared.");
}

LAB_INLINE std::string Args::kind_of(std::string_view name) {
  return name.find('.') == name.npos ? ".npy file, " : "file, ";
}

LAB_INLINE std::string Args::short_text(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", number);
  return text;
}

LAB_INLINE std::string Args::times(std::size_t count) {
  return count == 1 ? "once" : std::to_string(count) + " times";
}

LAB_INLINE std::string Args::joined_inputs() const {
  std::string all;
  for (const char* name : input_names_) {
    if (!all.empty()) all += ", ";
    all += name;
  }
  return all;
}

LAB_INLINE void Args::print_option(const char* name, const char* value_name, const char* help,
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

LAB_INLINE void Args::print_line(const char* left, const char* help, const std::string& preset) {
  std::printf(preset.empty() ? "  %-18s %s\n" : "  %-18s %s [%s]\n", left, help, preset.c_str());
}

LAB_INLINE void Args::print_help() const {
  std::printf("%s: %s\n\nusage: %s", program_, summary_, program_);
  for (const Declared& argument : positionals_) std::printf(" [%s]", argument.name);
  if (*rest_name_ != '\0') std::printf(" [%s]...", rest_name_);
  std::printf(" [options]\n\n");
  for (const Declared& argument : positionals_) print_line(argument.name, argument.help, argument.value);
  if (*rest_name_ != '\0') print_line(rest_name_, rest_help_, "");
  for (const Declared& option : options_)
    print_option(option.name, option.value_name, option.help, option.value);
  if (!input_names_.empty()) {
    const std::string help =
        kind_of(input_names_[0]) + "once for each of " + joined_inputs() + "; else they are drawn at random";
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

}  // namespace lab
