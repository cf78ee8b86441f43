/// @file
/// Stored inputs and expected outputs, which are called gold. `grader gold` makes them with the lab's oracle,
/// and `--check` proves that they are unchanged.
///
/// The files are `gold/<lab>/<case>/<array>.npy` (or expected.txt) and `gold/<lab>/manifest.toml`. The manifest has
/// the seed and the arguments of each case, the size and sha256 of each file, and the dtype and shape of each array.
#pragma once
#include <map>

#include "base/sha256.hpp"
#include "build/build.hpp"

namespace grader {

struct GoldProblem {
  fs::path path;
  std::string what;
};

/// Makes the gold of all Verify::gold cases of a lab. With `prove`, compares it with the stored gold instead.
///
/// All cases are first made in a scratch folder, so a failing oracle changes no stored file. Then each file
/// that differs is replaced atomically, and the manifest last. Files that belong to no case are reported and
/// kept.
/// @return the problems (with `prove`) or the written files; empty when all stored files equal the oracle's output,
///         byte for byte
/// @throws Error (fault) when the oracle fails; (environment) when the disk is full or can't be written; (usage) when
///         a case has no seed
std::vector<GoldProblem> make_gold(const Kit& kit, const Lab& lab, const fs::path& oracle, bool prove);

/// The files of one gold case, after a check of their sizes and checksums: the inputs in the lab's order, then the
/// expected output.
/// @throws Error (fault) when a file or the manifest is missing, damaged, or made for another seed or other
///         arguments; the message names the file and the remedy
std::vector<fs::path> open_gold(const Kit& kit, const Lab& lab, const Case& c);

/// The dtypes of a lab's arrays according to its manifest: {"P.npy", "<f4"}. Empty for a lab without gold.
/// @throws Error (fault) when the manifest is damaged
std::map<std::string, std::string> gold_types(const Kit& kit, const Lab& lab);

/// Makes one case's files in a folder of the user, for data that are too large to be stored, and for trying programs.
/// @param folder a folder, which is created if necessary; files with the same names are replaced
/// @return the files, the inputs first @throws Error under the same conditions as make_gold()
std::vector<fs::path> make_gold_case(const Lab& lab, const Case& c, const fs::path& oracle,
                                     const fs::path& folder);

}  // namespace grader
