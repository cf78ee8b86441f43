/// @file
/// The first step: finds the labs. It reads every labs/*/lab.toml, so the kit has no list of labs.
#pragma once
#include "base/error.hpp"
#include "model/lab.hpp"

namespace grader {

/// Where the parts of a kit are. The kit is the nearest parent of the current folder that contains `labs/`,
/// or else the installed kit of the running program.
struct Kit {
  fs::path root;
  fs::path labs() const { return root / "labs"; }
  fs::path solutions() const { return root / "solutions"; }
  fs::path gold() const { return root / "gold"; }
  fs::path common() const { return root / "common"; }
  /// Whether `cmake --install` made the kit. Its users need no write permission for it.
  bool installed() const;
  /// The students' folders: `$GRADER_WORKSPACE`, or else root/work (for an installed kit ~/cuda-labs). Does
  /// not create the folder.
  fs::path work() const;
  /// The folder of records, cache and backups: `$GRADER_HOME`, or else root/.grader. For an installed kit, it
  /// is `$XDG_STATE_HOME/cuda-lab-kit` or ~/.local/state/cuda-lab-kit. Does not create the folder.
  fs::path state() const;
  /// The folder of built programs and of compilers' caches: `$GRADER_CACHE`, or else state()/cache. It may be
  /// deleted or shared, since entries are found by the hash of their inputs.
  fs::path cache() const;
  /// The variable with which a user moves the cache to another disk, for messages.
  static std::string cache_setting();

  /// @param start where the search begins; `$CUDA_LAB_KIT` takes precedence
  /// @throws Error (usage) when no kit is found
  static Kit find(const fs::path& start);
};

/// A lab's name on the command line: "lab2.1", "lab2.1.2" (level 2), "lab2.1-matrixmul".
struct LabRef {
  std::string id;
  std::optional<int> level;
};

/// A lab's folder whose lab.toml can't be used.
struct BrokenLab {
  fs::path folder;
  Error error;  ///< (fault) with file, line and caret

  std::string id() const;  ///< according to the folder's name
};

class Catalog {
 public:
  /// Reads all labs, sorted by id in natural order (lab2.1 before lab10.1). A broken lab.toml affects only
  /// its own lab.
  static Catalog load(const Kit& kit);

  const std::vector<Lab>& labs() const { return labs_; }
  const std::vector<BrokenLab>& broken() const { return broken_; }

  /// Finds a lab by id, id.level, id-name, or folder path.
  /// @throws Error (usage) "did you mean …" for an unknown lab or level; (fault) for a broken lab
  const Lab& find(const std::string& ref, std::optional<int>& level) const;

 private:
  std::vector<Lab> labs_;
  std::vector<BrokenLab> broken_;
};

/// Parses one lab.toml. @throws Error (usage) with file, line, caret and the expected form.
Lab parse_lab(const fs::path& lab_toml);

/// Compares runs of digits as numbers, so that "lab2.1" comes before "lab10.1".
bool natural_less(const std::string& a, const std::string& b);

/// Whether a text is a valid lab id ("lab2", "lab2.1") or name ("matrixmul", "hello_world").
bool is_lab_id(const std::string& text);
bool is_lab_name(const std::string& text);

/// The candidate with the smallest edit distance to `word`. Empty if none is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace grader
