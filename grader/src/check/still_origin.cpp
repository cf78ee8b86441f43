#include "check/still_origin.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/sha256.hpp"

namespace grader {
namespace {

constexpr int drawing = 2;  // version of the drawing code; raise it if the same run is drawn differently
constexpr std::uintmax_t largest_source = 4 << 20;

std::string panel_text(const StillPanel& panel) {
  return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}\n", panel.title, panel.case_id,
                     static_cast<int>(panel.draws), fmt::join(panel.arrays, ","), panel.first_launch,
                     panel.last_launch, fmt::join(panel.block, ","), panel.first, panel.last,
                     static_cast<int>(panel.colour), static_cast<int>(panel.numbers), panel.elements,
                     panel.frame);
}

std::string case_text(const Case& c) {
  std::string out =
      fmt::format("{}|{}|{}|{}", c.id, fmt::join(c.args, " "),
                  c.checked ? fmt::format("{}", fmt::join(*c.checked, " ")) : "", c.seed.value_or(0));
  for (const auto& [name, value] : c.macros) out += fmt::format("|{}={}", name, value);
  return out + "\n";
}

}  // namespace

std::string still_origin(const Submission& solution) {
  const Lab& lab = *solution.lab;
  std::string text = fmt::format("{}\n{}\n{}\n", drawing, lab.id, lab.title);
  if (lab.view) {
    text += lab.view->story + "\n";
    for (const auto& [name, shape] : lab.view->shapes)
      text += fmt::format("{} {}\n", name, fmt::join(shape, ","));
    for (const StillPanel& panel : lab.view->panels) {
      text += panel_text(panel);
      const auto its = std::find_if(lab.cases.begin(), lab.cases.end(),
                                    [&](const Case& c) { return c.id == panel.case_id; });
      if (its != lab.cases.end()) text += case_text(*its);
    }
  }
  if (lab.film)
    text += fmt::format("{}|{}\n", fmt::join(lab.film->args, " "), fmt::join(lab.film->emu_args, " "));
  for (const SubmissionFile& file : solution.files) text += file.name.string() + "\n" + file.text + "\n";
  for (const fs::path& file : list_files(lab.folder / "oracle"))
    text += file.filename().string() + "\n" + read_file(file, largest_source) + "\n";
  return fmt::format("Made by {}; from {}", still_command(lab), sha256_hex(text).substr(0, 16));
}

std::string still_command(const Lab& lab) {
  return fmt::format("grader view {} --solution --still labs/{}/{}", lab.id, lab.folder_name(), still_file);
}

}  // namespace grader
