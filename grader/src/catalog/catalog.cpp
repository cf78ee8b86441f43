// Finds the kit and its labs, and the lab that a user's text names.
#include "catalog/catalog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "base/files.hpp"
#include "catalog/toml_reader.hpp"
#include "process/process.hpp"

namespace grader {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string lower(std::string text) {
  for (char& c : text) c = lower(c);
  return text;
}

std::vector<fs::path> folders_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    if (!is_hidden(at->path()) && at->is_directory(failed)) found.push_back(at->path());
  }
  if (failed)
    throw Error(ErrorKind::usage, fmt::format("{} can't be read: {}.", shown(folder), failed.message()));
  std::sort(found.begin(), found.end(),
            [](const fs::path& a, const fs::path& b) { return natural_less(a.filename(), b.filename()); });
  return found;
}

/// Whether a folder is a kit. A build folder may also contain a folder `labs`, so that name is not enough.
bool is_kit(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::is_directory(folder / "labs", ignored)) return false;
  for (const char* beside : {"common", "solutions", "gold"}) {
    if (fs::is_directory(folder / beside, ignored)) return true;
  }
  for (fs::directory_iterator at(folder / "labs", ignored), end; at != end; at.increment(ignored)) {
    if (fs::exists(at->path() / "lab.toml", ignored)) return true;
  }
  return false;
}

std::optional<int> parse_level(const std::string& text) {
  if (text.empty() || text.size() > 4 || !std::all_of(text.begin(), text.end(), is_digit)) return {};
  return std::stoi(text);
}

[[noreturn]] void fail_unknown(const std::string& ref, const std::vector<Lab>& labs) {
  if (labs.empty())
    throw Error(ErrorKind::usage,
                fmt::format("There is no lab \"{}\": the kit's labs/ folder holds none.", ref));
  std::vector<std::string> same_name, candidates;
  for (const Lab& lab : labs) {
    if (lower(ref) == lab.name) same_name.push_back(lab.id);
    candidates.push_back(lab.id);
    candidates.push_back(lab.folder_name());
    candidates.push_back(lab.name);
  }
  std::string sentence = fmt::format("There is no lab \"{}\"", ref);
  if (!same_name.empty()) {
    sentence += fmt::format("; a lab of this name is {}.", quoted_list(same_name, "or"));
  } else {
    const bool only_number = std::find(candidates.begin(), candidates.end(), "lab" + ref) != candidates.end();
    const std::string near = only_number ? "lab" + ref : did_you_mean(ref, candidates);
    sentence += near.empty() ? "." : fmt::format("; did you mean \"{}\"?", near);
  }
  throw Error(ErrorKind::usage, sentence, "grader list");
}

/// The lab of a path. One component is the name of a lab's folder, and the next one is the level.
const Lab* find_by_path(const std::vector<Lab>& labs, const std::string& ref, std::optional<int>& level) {
  std::error_code failed;
  const fs::path full = fs::weakly_canonical(fs::absolute(ref, failed), failed);
  if (failed) return nullptr;
  for (auto part = full.begin(); part != full.end(); ++part) {
    const auto lab =
        std::find_if(labs.begin(), labs.end(), [&](const Lab& one) { return *part == one.folder_name(); });
    if (lab == labs.end()) continue;
    if (const auto next = std::next(part); next != full.end() && next->string().starts_with("level")) {
      level = parse_level(next->string().substr(5));
    }
    return &*lab;
  }
  return nullptr;
}

/// A path from an environment variable; no value if the variable is empty.
std::optional<fs::path> variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? std::optional<fs::path>(value) : std::nullopt;
}

/// The installed kit to which this program, KIT/bin/grader, belongs.
std::optional<Kit> kit_of_program() {
  const fs::path program = own_program();
  Kit kit{program.parent_path().parent_path()};
  return !program.empty() && kit.installed() && is_kit(kit.root) ? std::optional<Kit>(kit) : std::nullopt;
}

/// The broken lab that a text names: by id, with or without a level, by folder name, or by path.
const BrokenLab* find_broken(const std::vector<BrokenLab>& labs, const std::string& ref) {
  std::error_code failed;
  const fs::path path = fs::weakly_canonical(fs::absolute(ref, failed), failed);
  for (const BrokenLab& lab : labs) {
    const bool with_level = ref.starts_with(lab.id() + ".") && parse_level(ref.substr(lab.id().size() + 1));
    if (ref == lab.id() || with_level || ref == lab.folder.filename()) return &lab;
    if (std::find(path.begin(), path.end(), lab.folder.filename()) != path.end()) return &lab;
  }
  return nullptr;
}

}  // namespace

bool Kit::installed() const {
  std::error_code ignored;
  return fs::exists(root / "share" / "installed", ignored);
}

fs::path Kit::state() const {
  if (const auto home = variable("GRADER_HOME")) return fs::absolute(*home);
  if (!installed()) return root / ".grader";
  if (const auto states = variable("XDG_STATE_HOME")) return fs::absolute(*states) / "cuda-lab-kit";
  const auto home = variable("HOME");
  return home ? *home / ".local/state/cuda-lab-kit" : fs::current_path() / ".grader";
}

fs::path Kit::work() const {
  if (const auto work = variable("GRADER_WORKSPACE")) return fs::absolute(*work);
  if (!installed()) return root / "work";
  const auto home = variable("HOME");
  return home ? *home / "cuda-labs" : fs::current_path() / "work";
}

fs::path Kit::cache() const {
  if (const auto cache = variable("GRADER_CACHE")) return fs::absolute(*cache);
  return state() / "cache";
}

std::string Kit::cache_setting() {
  return variable("GRADER_CACHE") ? "GRADER_CACHE" : "GRADER_HOME";
}

Kit Kit::find(const fs::path& start) {
  if (const char* named = std::getenv("CUDA_LAB_KIT"); named != nullptr && *named != '\0') {
    if (is_kit(named)) return Kit{fs::canonical(named)};
    throw Error(ErrorKind::usage,
                fmt::format("CUDA_LAB_KIT says {}, which holds no labs/ folder of a kit.", named),
                "unset CUDA_LAB_KIT, or set it to the kit's folder.");
  }
  std::error_code failed;
  fs::path folder = fs::weakly_canonical(fs::absolute(start, failed), failed);
  for (; !failed && !folder.empty(); folder = folder.parent_path()) {
    if (is_kit(folder)) return Kit{folder};
    if (folder == folder.parent_path()) break;
  }
  if (const auto kit = kit_of_program()) return *kit;
  throw Error(ErrorKind::usage,
              fmt::format("Neither {} nor a folder above it is a lab kit: none holds labs/.", start.string()),
              "cd into the kit's folder, or export CUDA_LAB_KIT=/path/to/it");
}

std::string BrokenLab::id() const {
  const std::string name = folder.filename().string();
  return name.substr(0, name.find('-'));
}

Catalog Catalog::load(const Kit& kit) {
  Catalog catalog;
  const auto leave_out = [&](const fs::path& folder, const std::string& problem) {
    catalog.broken_.push_back(
        {folder, Error(ErrorKind::fault, problem,
                       fmt::format("fix it, or: git checkout {}", shown(folder / "lab.toml")))});
  };
  for (const fs::path& folder : folders_in(kit.labs())) {
    const std::string name = folder.filename().string();
    std::error_code ignored;
    // A lab's folder without lab.toml is an error. Other folders in labs/ belong to the students.
    const bool named_like_a_lab = is_lab_id(name.substr(0, name.find('-')));
    if (!named_like_a_lab && !fs::exists(folder / "lab.toml", ignored)) continue;
    try {
      catalog.labs_.push_back(parse_lab(folder / "lab.toml"));
    } catch (const Error& e) {
      leave_out(folder, e.what());
    }
  }
  // If two labs have the same id, neither can be chosen.
  std::map<std::string, std::vector<fs::path>> folders;
  for (const Lab& lab : catalog.labs_) folders[lab.id].push_back(lab.folder);
  for (const auto& [id, same] : folders) {
    for (std::size_t i = 0; i < same.size() && same.size() > 1; ++i)
      leave_out(same[i], fmt::format("{} and {} both have the id \"{}\"; expected one of them.",
                                     shown(same[i]), shown(same[i == 0 ? 1 : 0]), id));
  }
  std::erase_if(catalog.labs_, [&](const Lab& lab) { return folders[lab.id].size() > 1; });
  std::sort(catalog.labs_.begin(), catalog.labs_.end(),
            [](const Lab& x, const Lab& y) { return natural_less(x.id, y.id); });
  return catalog;
}

const Lab& Catalog::find(const std::string& ref, std::optional<int>& level) const {
  const std::optional<int> wanted = level;
  std::optional<int> named;
  const auto by_name = [&](const std::string& name) -> const Lab* {
    const auto lab = std::find_if(labs_.begin(), labs_.end(), [&](const Lab& one) {
      return one.id == name || one.folder_name() == name;
    });
    return lab != labs_.end() ? &*lab : nullptr;
  };

  // "lab2.1" is tried as an id first, and then as level 1 of "lab2".
  const Lab* lab = by_name(ref);
  if (const auto dot = ref.rfind('.'); lab == nullptr && dot != std::string::npos) {
    named = parse_level(ref.substr(dot + 1));
    if (named) lab = by_name(ref.substr(0, dot));
  }
  if (lab == nullptr) {
    named.reset();
    const bool is_path = ref.find('/') != std::string::npos || ref == "." || ref == "..";
    if (is_path) lab = find_by_path(labs_, ref, named);
  }
  if (lab == nullptr) {
    if (const BrokenLab* broken = find_broken(broken_, ref)) throw broken->error;
    fail_unknown(ref, labs_);
  }

  if (named && wanted && *named != *wanted)
    throw Error(
        ErrorKind::usage,
        fmt::format("\"{}\" is level {}, but --level says {}; expected one of them.", ref, *named, *wanted));
  if (named) level = named;
  if (level && (*level < 1 || *level > lab->levels)) {
    const std::string has = lab->levels == 1 ? "only level 1" : fmt::format("levels 1 to {}", lab->levels);
    throw Error(ErrorKind::usage, fmt::format("{} has {}, not level {}.", lab->id, has, *level),
                fmt::format("grader {}.1", lab->id));
  }
  return *lab;
}

bool natural_less(const std::string& a, const std::string& b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (!is_digit(a[i]) || !is_digit(b[j])) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i, ++j;
      continue;
    }
    const auto digits = [](const std::string& text, std::size_t& at) {
      while (at < text.size() && text[at] == '0') ++at;
      const std::size_t begin = at;
      while (at < text.size() && is_digit(text[at])) ++at;
      return text.substr(begin, at - begin);
    };
    const std::string x = digits(a, i), y = digits(b, j);
    if (x.size() != y.size()) return x.size() < y.size();
    if (x != y) return x < y;
  }
  if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
  return a < b;  // equal except for leading zeros, so any fixed order is right
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
  // Optimal string alignment: insertions, deletions, replacements and transpositions; ignores case.
  const auto distance = [](const std::string& a, const std::string& b) {
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
      row[0] = i;
      for (std::size_t j = 1; j <= b.size(); ++j) {
        row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
          row[j] = std::min(row[j], before[j - 2] + 1);
      }
      before = last;
      last = row;
    }
    return last[b.size()];
  };
  if (word.size() > 100) return {};
  if (word.size() >= 3)  // "lab2" is more likely the beginning of a name than a mistyped "lab0"
    for (const std::string& candidate : candidates)
      if (lower(candidate).rfind(lower(word), 0) == 0) return candidate;
  std::string best;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t d = distance(lower(word), lower(candidate));
    if (d < least && d < candidate.size()) {
      least = d;
      best = candidate;
    }
  }
  return best;
}

}  // namespace grader
