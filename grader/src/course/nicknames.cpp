#include "course/nicknames.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <sstream>

#include "base/columns.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/sha256.hpp"

namespace grader {
namespace {

constexpr std::size_t longest = 24;
constexpr std::array first_words = {
    "Amber",  "Brave",  "Brisk",  "Calm",  "Clever", "Coral", "Cosmic", "Crisp", "Daring", "Eager", "Early",
    "Fabled", "Gentle", "Golden", "Happy", "Humble", "Ivory", "Jolly",  "Keen",  "Lively", "Lucky", "Mellow",
    "Merry",  "Misty",  "Nimble", "Noble", "Polar",  "Proud", "Quick",  "Quiet", "Rapid",  "Silver"};
constexpr std::array second_words = {
    "Badger",  "Beaver", "Bison",   "Cheetah", "Condor", "Cricket", "Dolphin", "Dragon",
    "Falcon",  "Ferret", "Finch",   "Gazelle", "Gecko",  "Heron",   "Ibex",    "Jaguar",
    "Kestrel", "Koala",  "Lemur",   "Lynx",    "Marten", "Marmot",  "Ocelot",  "Osprey",
    "Otter",   "Panda",  "Penguin", "Puffin",  "Raven",  "Stork",   "Swift",   "Weasel"};

std::string without_edges(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' '), end = text.find_last_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

/// Texts that no nickname may contain: all ids, and all words of names with more than two letters.
std::vector<std::string> forbidden(const ClassFile& course, const std::vector<std::string>& students) {
  std::vector<std::string> out;
  const auto add_words = [&](std::string text) {
    for (char& c : text)
      if (c == '_' || c == '.' || c == '-' || c == ',') c = ' ';
    std::istringstream words(lower(text));
    for (std::string word; words >> word;)
      if (word.size() >= 3) out.push_back(word);
  };
  for (const std::string& id : students) add_words(id);
  for (const auto& [id, student] : course.students) add_words(id + " " + student.name);
  return out;
}

}  // namespace

std::map<std::string, std::string> nicknames(const ClassFile& course,
                                             const std::vector<std::string>& students,
                                             const std::map<std::string, std::string>& chosen,
                                             const std::string& secret) {
  const std::vector<std::string> names = forbidden(course, students);
  std::set<std::string> taken;
  std::map<std::string, std::string> out;
  const auto take = [&](const std::string& student, const std::string& nickname) {
    if (!taken.insert(lower(nickname)).second) return false;
    out[student] = nickname;
    return true;
  };
  std::set<std::string> all(students.begin(), students.end());
  std::vector<std::string> to_make;
  for (const std::string& student : all) {
    const auto listed = course.students.find(student);
    const bool by_file = listed != course.students.end() && listed->second.nickname.has_value();
    if (by_file && listed->second.nickname->empty()) continue;  // the class file hides this student
    const auto own = chosen.find(student);
    std::string wanted = by_file ? *listed->second.nickname : own == chosen.end() ? "" : own->second;
    wanted = without_edges(cut_to(printable(wanted), longest));
    const std::string small = lower(wanted);
    // A nickname that the instructor wrote is accepted as it is.
    const bool tells = !by_file && std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return small.find(name) != std::string::npos;
    });
    if (wanted.empty() || tells || !take(student, wanted)) to_make.push_back(student);
  }
  for (const std::string& student : to_make)
    for (int turn = 0;; ++turn) {
      const std::string digest = sha256_hex(fmt::format("{}\n{}\n{}", secret, student, turn));
      const unsigned long number = std::stoul(digest.substr(0, 8), nullptr, 16);
      std::string made = fmt::format("{} {}", first_words[number % first_words.size()],
                                     second_words[number / first_words.size() % second_words.size()]);
      // the class is larger than the number of word pairs
      if (turn > 20) made += fmt::format(" {}", number % 1000);
      if (take(student, made)) break;
    }
  return out;
}

std::string nickname_in(const std::vector<SubmissionFile>& handed_in) {
  for (const SubmissionFile& file : handed_in)
    if (file.name.filename() == nickname_file) return file.text.substr(0, file.text.find('\n'));
  return {};
}

}  // namespace grader
