/// @file
/// A program with one mistake, with the sizes and names that a seed draws, and the lines of the mistake.
#pragma once
#include <map>

#include "hunt/hunts.hpp"
#include "model/draw.hpp"

namespace grader {

/// The lines of the wrong program that a mistake changed. If the mistake only removed lines, the lines around the
/// gap.
struct ChangedLines {
  unsigned first = 0, last = 0;  ///< both included
  bool gap = false;
};

struct Planted {
  const HuntProgram* program = nullptr;
  const HuntMistake* mistake = nullptr;
  std::uint64_t seed = 0;
  std::map<std::string, std::int64_t> sizes;
  std::string wrong, right;  ///< texts
  std::vector<ChangedLines> changed;

  /// "no-barrier of reverse n=200": equal for plantings that differ only in their names.
  std::string key() const;
  /// "reverse n=200": equal for plantings whose repairs differ only in their names.
  std::string repair_key() const;
};

/// @throws Error (usage) under the same conditions as apply_change()
Planted plant(const HuntProgram& program, const HuntMistake& mistake, std::uint64_t seed);

/// The lines in which the two texts differ. They locate the mistake independently of its edits.
std::vector<ChangedLines> lines_changed(const std::string& right, const std::string& wrong);

/// A student's past hunt, as stored in the records.
struct PastHunt {
  std::string program, mistake, kind;
  bool right = false;
};

/// A kind's place in Leitner's boxes. A kind begins in box 1. A right hunt moves it up a box, at most to box 5; a
/// missed hunt moves it back to box 1. After a hunt that left it in box b, a kind rests for 2^b - 1 hunts.
struct KindBox {
  int box = 1;
  std::size_t hunts = 0;  ///< number of hunts of this kind
  std::int64_t due = 0;   ///< hunts until it may be drawn again; 0 or less: now
};
KindBox box_of(const std::vector<PastHunt>& past, const std::string& kind);

/// Chooses the next mistake. Its kind has been met and is due; among several, the one in the lowest box that has
/// waited longest. If no kind is due, it is a kind that the student has never met, else the kind that will be due
/// first. Among its mistakes, one that was hunted least often is chosen.
/// @param kind, program limit the choice; empty: any
/// @throws Error (usage) when no mistake fits
std::pair<const HuntProgram*, const HuntMistake*> next_mistake(const Hunts& hunts,
                                                               const std::vector<PastHunt>& past,
                                                               const std::string& kind,
                                                               const std::string& program, Draw& draw);

/// The next mistake, planted with the sizes and names of a seed.
Planted draw_hunt(const Hunts& hunts, const std::vector<PastHunt>& past, const std::string& kind,
                  const std::string& program, std::uint64_t seed);

}  // namespace grader
