/// @file
/// Stored inputs and expected outputs: `grader gold` makes them with the lab's oracle, `--check` proves that
/// they are still those.
///
/// `gold/<lab>/<case>/<array>.npy` (or expected.txt), and `gold/<lab>/manifest.toml`: for each case seed and
/// arguments, and for each file its size, its sha256, and for arrays dtype and shape.
#pragma once
#include <map>

#include "base/sha256.hpp"
#include "build/build.hpp"

namespace grader {

struct GoldProblem {
  fs::path path;
  std::string what;
};

/// Makes (or with prove, compares) the gold of every Verify::gold case of a lab.
///
/// All cases are made in a scratch folder first, so that an oracle that fails changes nothing;
/// then each file that differs is replaced in one step, the manifest last.
/// What belongs to no case is reported, and left alone.
/// @return what is wrong (prove) or was written; empty when everything stored is what the oracle gives, byte for byte
/// @throws Error (fault) when the oracle fails; (environment) when the disk is full or can't be written; (usage) when a case
///         has no seed
std::vector<GoldProblem> make_gold(const Kit& kit, const Lab& lab, const fs::path& oracle, bool prove);

/// Files of one gold case after their sizes and checksums were verified:
/// the inputs in the lab's order, then the expected output.
/// @throws Error (fault) when a file or the manifest is missing, damaged, or made for another seed or other arguments,
///         naming it and what mends it
std::vector<fs::path> open_gold(const Kit& kit, const Lab& lab, const Case& c);

/// The types of a lab's arrays as its manifest has them: {"P.npy", "<f4"}. Empty for a lab without gold.
/// @throws Error (fault) when the manifest is damaged
std::map<std::string, std::string> gold_types(const Kit& kit, const Lab& lab);

/// Makes one case's files in a folder of the user's: for data too large to be stored, and to try programs on.
/// @param folder created; files of the same names are replaced
/// @return the files, the inputs first @throws as make_gold()
std::vector<fs::path> make_gold_case(const Lab& lab, const Case& c, const fs::path& oracle,
                                     const fs::path& folder);

}  // namespace grader
