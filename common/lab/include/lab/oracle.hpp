/// @file
/// The command line of a lab's oracle, so that an oracle consists of two functions, or of three with a judge:
///
///     oracle inputs --seed N --dir D [arguments]     draw(seed, arguments) writes D/<input>.npy
///     oracle expect --dir D [arguments]              expect(arguments) writes D/<output>.npy or D/expected.txt
///     oracle judge --facts FILE                      judge(facts) decides on a run (judge.hpp)
///
/// Exit codes: 0 done · 2 the command line or a file is wrong. Host code only.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "exit.hpp"
#include "judge.hpp"

namespace lab {

/// An oracle's command line.
struct OracleRequest {
  std::string folder;                  ///< folder to read from and write to
  std::vector<std::string> arguments;  ///< the arguments of the handout
  std::uint64_t seed = 0;              ///< for `inputs` only

  std::string path(const std::string& file) const { return folder + "/" + file; }

  /// The argument at `index` as a whole number in [least, most], or `preset` if there is none.
  std::int64_t integer(std::size_t index, std::int64_t preset, std::int64_t least, std::int64_t most) const {
    if (index >= arguments.size()) return preset;
    return checked(arguments[index], "argument " + std::to_string(index + 1), least, most);
  }

  /// The value of the option `--name=VALUE` as a whole number in [least, most],
  /// or `preset` if the option is not given.
  std::int64_t option(const std::string& name, std::int64_t preset, std::int64_t least,
                      std::int64_t most) const {
    const std::string begin = "--" + name + "=";
    for (const std::string& argument : arguments) {
      if (argument.rfind(begin, 0) == 0)
        return checked(argument.substr(begin.size()), "--" + name, least, most);
    }
    return preset;
  }

 private:
  static std::int64_t checked(const std::string& text, const std::string& what, std::int64_t least,
                              std::int64_t most) {
    char* end = nullptr;
    const std::int64_t value = std::strtoll(text.c_str(), &end, 10);
    if (text.empty() || *end != '\0' || value < least || value > most) {
      usage_error("oracle: " + what + " must be a whole number from " + std::to_string(least) + " to " +
                  std::to_string(most) + ", but is '" + text + "'.");
    }
    return value;
  }
};

/// Reads an oracle's command line, and calls one of its two functions. @return the exit code for main
template <typename Draw, typename Expect>
int run_oracle(int argc, char** argv, Draw draw, Expect expect) {
  const std::string verb = argc > 1 ? argv[1] : "";
  if (verb != "inputs" && verb != "expect") {
    usage_error("usage: oracle inputs --seed N --dir D [arguments] | oracle expect --dir D [arguments]");
  }
  OracleRequest request;
  bool seeded = false;
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    const bool has_value = i + 1 < argc;
    if (word == "--dir" && has_value) {
      request.folder = argv[++i];
    } else if (word == "--seed" && has_value) {
      char* end = nullptr;
      request.seed = std::strtoull(argv[++i], &end, 10);
      seeded = *argv[i] >= '0' && *argv[i] <= '9' && *end == '\0';
    } else {
      request.arguments.push_back(word);
    }
  }
  if (request.folder.empty()) usage_error("oracle " + verb + ": --dir is missing.");
  if (verb == "inputs" && !seeded) usage_error("oracle inputs: --seed needs a whole number.");
  if (verb == "inputs") {
    draw(request);
  } else {
    expect(request);
  }
  return exit_passed;
}

/// Does the same for an oracle with a judge, which is a function from JudgeRequest to Judgement.
template <typename Draw, typename Expect, typename Judge>
int run_oracle(int argc, char** argv, Draw draw, Expect expect, Judge judge) {
  if (argc < 2 || std::string(argv[1]) != "judge") return run_oracle(argc, argv, draw, expect);
  if (argc != 4 || std::string(argv[2]) != "--facts") usage_error("usage: oracle judge --facts FILE");
  std::ostringstream text;
  std::ifstream file(argv[3], std::ios::binary);
  if (!file) usage_error(std::string("oracle judge: ") + argv[3] + " can't be read.");
  text << file.rdbuf();
  std::printf("%s\n", to_json(judge(read_facts(text.str()))).c_str());
  return exit_passed;
}

}  // namespace lab
