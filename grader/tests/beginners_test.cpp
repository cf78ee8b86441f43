// Tests the first screen for mistakes that beginners make. beginners/beginners.toml lists these mistakes.
// beginners/NAME.txt contains the first 80 columns and 24 lines that the real grader shows, which a person
// has read and approved. After an intended change, rewrite these texts with KIT_APPROVE=1, and read them
// before you commit them.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <regex>

#include "author/wrong.hpp"
#include "base/columns.hpp"
#include "base/terminal.hpp"
#include "catalog/catalog.hpp"
#include "catalog/toml_reader.hpp"
#include "grader_runner.hpp"

namespace grader {
namespace {

using testing::Ran;
using testing::User;

constexpr std::size_t screen_lines = 24;
constexpr int screen_columns = 80;

struct Beginner {
  std::string lab;
  WrongSolution mistake;
  std::string only;  ///< the only case to grade; empty: all
};

void PrintTo(const Beginner& beginner, std::ostream* out) {
  *out << beginner.mistake.name;
}

fs::path folder() {
  return fs::path(KIT_SOURCE_DIR) / "grader/tests/beginners";
}

std::vector<Beginner> beginners() {
  const TomlFile file = TomlFile::read(folder() / "beginners.toml", 1);
  TomlTable root = file.root();
  std::vector<Beginner> all;
  root.integer("format", 1, 1);
  for (TomlTable& table : root.tables("mistake")) {
    Beginner one;
    one.lab = table.text("lab");
    one.mistake.name = table.text("name");
    one.mistake.file = table.text("file");
    one.mistake.find = table.text("find");
    one.mistake.replace = table.text_or("replace", "");
    one.mistake.names = table.texts("names");
    one.mistake.never = table.texts("never");
    one.only = table.text_or("only", "");
    one.mistake.at = table.at("find");
    table.finish();
    all.push_back(one);
  }
  root.finish();
  return all;
}

/// The first screen, without the parts that differ from run to run: values of drawn inputs, and times.
std::string first_screen(const std::string& report) {
  std::string out;
  const std::vector<std::string> lines = split_lines(report);
  for (std::size_t i = 0; i < std::min(lines.size(), screen_lines); ++i) out += lines[i] + "\n";
  return std::regex_replace(out, std::regex("[0-9.]+(e[-+][0-9]+)? (ms|s)\\b"), "N $2");
}

/// Compares the words of two screens, whatever their line breaks are. Ignores the threads of a time-out, and
/// the number of wrong elements, which depends on drawn inputs. One screen may end earlier because its lines
/// have another length, so only the common part is compared.
bool read_the_same(const std::string& a, const std::string& b) {
  const auto words = [](std::string screen) {
    const std::pair<const char*, const char*> volatile_words[] = {
        {"\\s+", " "},
        {"kernel matrixMul: .{1,300}have returned\\.", "kernel matrixMul: …."},
        {"[0-9]+ of ([0-9]+ elements)", "N of $1"}};
    for (const auto& [pattern, instead] : volatile_words)
      screen = std::regex_replace(screen, std::regex(pattern), instead);
    return screen;
  };
  const std::string one = words(a), other = words(b);
  const std::size_t both = std::min(one.size(), other.size());
  const std::size_t sure = both - std::min<std::size_t>(both, 2);  // the last word may be truncated
  return 10 * both >= 8 * std::max(one.size(), other.size()) && one.substr(0, sure) == other.substr(0, sure);
}

/// Whether the text contains one of the words that `|` separates. Line ends count as blanks.
bool holds_one(const std::string& text, const std::string& words) {
  const std::string flat = std::regex_replace(text, std::regex("\\s+"), " ");
  std::istringstream list(words);
  for (std::string word; std::getline(list, word, '|');)
    if (flat.find(word) != std::string::npos) return true;
  return false;
}

class FirstScreen : public ::testing::TestWithParam<Beginner> {};

TEST_P(FirstScreen, NamesTheCause) {
  const auto& [id, mistake, only] = GetParam();
  const Kit kit{KIT_SOURCE_DIR};
  const Catalog catalog = Catalog::load(kit);
  std::optional<int> none;
  const Lab& lab = catalog.find(id, none);
  User user;
  user.set("LC_ALL", "C.UTF-8");  // so that the compiler's language and quotation marks are fixed
  user.set("GRADER_WORKSPACE", (user.folder() / "work").string());
  const Submission wrong = apply_wrong(read_submission(kit, lab, 1, Origin::solution), mistake);
  for (const SubmissionFile& file : wrong.files)
    testing::write_file(user.folder() / "work" / id / "level1" / file.name, file.text);

  std::vector<std::string> arguments = {id, "--backend", "emu"};
  if (!only.empty()) arguments.insert(arguments.end(), {"--case", only});
  const Ran ran = user.grader(arguments);
  ASSERT_EQ(ran.exit_code, 1) << ran.out << ran.err;
  const std::string screen = first_screen(ran.out);
  const fs::path file = folder() / (mistake.name + ".txt");
  if (const char* approve = std::getenv("KIT_APPROVE"); approve != nullptr && std::string(approve) == "1")
    testing::write_file(file, screen);
  EXPECT_TRUE(read_the_same(screen, testing::read_file(file)))
      << screen << "when the change is meant: KIT_APPROVE=1, and read " << file;
  for (const std::string& words : mistake.names)
    EXPECT_TRUE(holds_one(screen, words)) << words << '\n' << screen;
  for (const std::string& words : mistake.never)
    EXPECT_FALSE(holds_one(screen, words)) << words << '\n' << screen;
  // The lines of the compiler are not wrapped.
  if (screen.find("DOES NOT COMPILE") != std::string::npos) return;
  for (const std::string& line : split_lines(screen)) EXPECT_LE(display_width(line), screen_columns) << line;
}

INSTANTIATE_TEST_SUITE_P(Beginners, FirstScreen, ::testing::ValuesIn(beginners()), [](const auto& tested) {
  std::string name = tested.param.mistake.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Beginners, EachScreenBelongsToAMistake) {
  std::vector<std::string> names = {"beginners.toml"}, files;
  for (const Beginner& beginner : beginners()) names.push_back(beginner.mistake.name + ".txt");
  for (const auto& entry : fs::directory_iterator(folder())) files.push_back(entry.path().filename());
  EXPECT_THAT(files, ::testing::UnorderedElementsAreArray(names));
  EXPECT_GE(names.size(), 20u);
}

}  // namespace
}  // namespace grader
