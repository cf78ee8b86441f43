#include "hunt/game.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/files.hpp"

namespace grader {
namespace {

constexpr std::uintmax_t largest_state = 64 << 10;

}  // namespace

bool is_right(const HuntState& state, const Clue& clue) {
  return state.line && (state.clue || clue.about == Clue::About::nothing) && state.wrong_answers == 0 &&
         state.hints <= 1;
}

nlohmann::json to_json(const HuntState& state) {
  return {{"format", 1},
          {"student", state.student},
          {"program", state.program},
          {"mistake", state.mistake},
          {"seed", state.seed},
          {"folder", state.folder.string()},
          {"line", state.line},
          {"clue", state.clue},
          {"wrong_answers", state.wrong_answers},
          {"hints", state.hints}};
}

std::optional<HuntState> read_state(const fs::path& file, const Hunts& hunts) {
  if (!fs::exists(file)) return {};
  try {
    const auto json = nlohmann::json::parse(read_file(file, largest_state));
    HuntState state{json.at("student"),
                    json.at("program"),
                    json.at("mistake"),
                    json.at("seed"),
                    fs::path(json.at("folder").get<std::string>()),
                    json.at("line"),
                    json.at("clue"),
                    json.at("wrong_answers"),
                    json.at("hints")};
    hunts.mistake(hunts.program(state.program), state.mistake);
    return state;
  } catch (const nlohmann::json::exception&) {
  } catch (const Error&) {
  }
  return {};
}

fs::path lay_out_hunt(const fs::path& parent, const Hunts& hunts, const Planted& planted) {
  fs::path folder;
  for (int number = 1; number == 1 || fs::exists(folder); ++number)
    folder = parent / fmt::format("{}-{}", number, planted.program->name);
  write_file(folder / "hunt.cuh", hunts.header);
  write_file(folder / planted.program->file(), planted.wrong);
  return folder;
}

}  // namespace grader
