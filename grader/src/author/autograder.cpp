#include "author/autograder.hpp"

#include <fmt/format.h>

#include "author/student_kit.hpp"
#include "base/files.hpp"
#include "workspace/lab_files.hpp"

namespace grader {
namespace {

// Tests of these scripts set $AUTOGRADER, $GRADER and $GRADER_CACHE. Gradescope always has /autograder.
constexpr const char* setup_script = R"(#!/usr/bin/env bash
# Gradescope runs this once, as root, when it makes the image: it installs what is missing and builds the grader.
# The image must be Ubuntu 22.04 or newer.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/kit"
./bootstrap
# The first grading shows that the grader works here, and compiles what it needs for every submission.
export CUDA_LAB_KIT=$PWD GRADER_CACHE=${GRADER_CACHE:-$PWD/build/cache}
GRADER_HOME=$(mktemp -d) ${GRADER:-./build/bin/grader} grade @LAB@ --level @LEVEL@ --from labs/@FOLDER@/level@LEVEL@ --only-blanks || [ $? = 1 ]
)";

constexpr const char* run_script = R"(#!/usr/bin/env bash
# Gradescope runs this for each submission. Points are given for @LAB@, level @LEVEL@; only the text between the marks of the
# blanks is the student's. A fault of the kit leaves no results.json, and so gives no grade: grade it again.
set -uo pipefail
autograder=${AUTOGRADER:-/autograder}
export GRADER_HOME=${GRADER_HOME:-$(mktemp -d)}
# This runs as root, and runs the student's program as an ordinary user, who must be able to reach the files there, but not to read
# the hidden cases or the expected results.
chmod 711 "$GRADER_HOME"
results=$autograder/results/results.json
said=$(mktemp)
mkdir -p "$autograder/results"
cd "$autograder/source/kit" || exit 3
chmod 700 labs
chmod -f 600 gold/@FOLDER@/*/@EXPECTED@
export CUDA_LAB_KIT=$PWD GRADER_CACHE=${GRADER_CACHE:-$PWD/build/cache}
GRADER=${GRADER:-./build/bin/grader}
"$GRADER" grade @LAB@ --level @LEVEL@ --from "$autograder/submission" --only-blanks --format gradescope >"$results.new" 2>"$said"
code=$?
cat "$said" >&2
case $code in
  0|1) mv "$results.new" "$results" ;;
  2)  # what was handed in can't be read
     text=$(tr -c '[:print:]\n' '?' <"$said" | sed 's/\\/\\\\/g; s/"/\\"/g' | awk '{printf "%s\\n", $0}')
     printf '{"score": 0, "output": "%s", "output_format": "text"}\n' "$text" >"$results"
     rm -f "$results.new" ;;
  *) rm -f "$results.new"; exit "$code" ;;
esac
)";

std::string filled(std::string text, const Lab& lab, int level) {
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"@LAB@", lab.id},
                                 {"@FOLDER@", lab.folder_name()},
                                 {"@LEVEL@", std::to_string(level)},
                                 {"@EXPECTED@", lab.output.file()}})
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos;)
      text.replace(at, from.size(), to);
  return text;
}

void write_program(const fs::path& file, const std::string& text) {
  write_file(file, text);
  fs::permissions(file, fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec |
                            fs::perms::others_read | fs::perms::others_exec);
}

/// The id of a step. It has only letters and digits, since the reporter accepts no other characters.
std::string step_id(const Lab& lab, int level) {
  std::string out;
  for (const char c : lab.id) out += c == '.' ? 'x' : c;
  return fmt::format("{}level{}", out, level);
}

std::string upper(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

}  // namespace

void write_gradescope(const Kit& kit, const Catalog& catalog, const Lab& lab, int level, const fs::path& to) {
  std::error_code failed;
  fs::create_directories(to, failed);
  write_student_kit(kit, catalog, {{lab.id, {level}}}, to / "kit", KitFor::grading);
  write_program(to / "setup.sh", filled(setup_script, lab, level));
  write_program(to / "run_autograder", filled(run_script, lab, level));
}

std::string classroom_workflow(const Catalog& catalog) {
  std::string steps, results, runners;
  for (const Lab& lab : catalog.labs())
    for (int level = 1; level <= lab.levels; ++level) {
      std::error_code failed;
      if (!fs::exists(lab.folder / fmt::format("level{}", level), failed)) continue;
      const std::string id = step_id(lab, level), words = fmt::format("{} --level {}", lab.id, level);
      // The first step writes the report for people, and the second step reports the points. The second step
      // finds the compilations of the first in the cache.
      steps += fmt::format(
          "      - name: {0} level {1}\n        id: {2}\n        run: |\n"
          "          ./build/bin/grader {3} || true\n"
          "          echo \"result=$(./build/bin/grader grade {3} --format classroom)\" >> "
          "\"$GITHUB_OUTPUT\"\n",
          lab.id, level, id, words);
      results += fmt::format("          {}_RESULTS: ${{{{ steps.{}.outputs.result }}}}\n", upper(id), id);
      runners += (runners.empty() ? "" : ",") + id;
    }
  return "# Grades what was pushed, and tells GitHub Classroom the points of each part.\n"
         "name: Autograding Tests\n"
         "on: [push, workflow_dispatch, repository_dispatch]\n"
         "permissions:\n  checks: write\n  actions: read\n  contents: read\n"
         "jobs:\n  run-autograding-tests:\n    runs-on: ubuntu-latest\n"
         "    if: github.actor != 'github-classroom[bot]'\n"
         "    steps:\n      - uses: actions/checkout@v4\n"
         "      - name: Build the grader\n        run: ./bootstrap\n" +
         steps +
         "      - name: Autograding Reporter\n        uses: "
         "classroom-resources/autograding-grading-reporter@v1\n"
         "        env:\n" +
         results + "        with:\n          runners: " + runners + "\n";
}

std::vector<fs::path> write_classroom(const fs::path& folder) {
  const std::string next = "grader release --to DIR, and then grader autograder --github DIR";
  std::error_code failed;
  if (!fs::exists(folder / "labs", failed) || !fs::exists(folder / "bootstrap", failed))
    throw Error(ErrorKind::usage, fmt::format("{} is no kit for a class.", shown(folder)), next);
  if (fs::exists(folder / "solutions", failed))
    throw Error(ErrorKind::usage,
                fmt::format("{} holds the solutions: students would get them.", shown(folder)), next);
  const Catalog catalog = Catalog::load(Kit{folder});
  if (catalog.labs().empty())
    throw Error(ErrorKind::usage, fmt::format("{} has no lab.", shown(folder / "labs")), next);
  std::vector<fs::path> out = {folder / ".github/workflows/classroom.yml"};
  write_file(out.back(), classroom_workflow(catalog));
  if (!fs::exists(folder / ".gitignore", failed)) {
    out.push_back(folder / ".gitignore");
    write_file(out.back(), "build/\n.grader/\n");
  }
  return out;
}

}  // namespace grader
