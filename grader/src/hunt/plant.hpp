/// @file
/// A program with one planted mistake, with the sizes and names that a seed draws, and the lines of the
/// mistake.
#pragma once
#include <map>

#include "hunt/hunts.hpp"
#include "model/draw.hpp"

namespace grader {

/// The lines of the wrong program that a mistake changed. If the mistake only removed lines, the two lines
/// around the gap.
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

/// The lines in which two texts differ. They show where the mistake is, independently of the edits that made
/// it.
std::vector<ChangedLines> lines_changed(const std::string& right, const std::string& wrong);

/// A past hunt of a student, as the records have it.
struct PastHunt {
  std::string program, mistake, kind;
  bool right = false;
};

/// The box of a kind of mistake, after Leitner. A kind begins in box 1. A right hunt moves it to the next
/// box, at most to box 5, and any other hunt moves it back to box 1. After a hunt that put it into box b, the
/// kind is not drawn for 2^b - 1 hunts.
struct KindBox {
  int box = 1;
  std::size_t hunts = 0;  ///< number of hunts with this kind
  std::int64_t due = 0;   ///< number of hunts until it may be drawn again; 0 or less: it may be drawn now
};
KindBox box_of(const std::vector<PastHunt>& past, const std::string& kind);

/// Chooses the next mistake. First, a kind that the student has met and that is due: if there are several,
/// the one in the lowest box that has waited longest. If none is due, a kind that the student has never met,
/// or else the kind that will be due first. Of the kind's mistakes, one that was hunted least often.
/// @param kind, program limit the choice; empty: any
/// @throws Error (usage) when no mistake fits
std::pair<const HuntProgram*, const HuntMistake*> next_mistake(const Hunts& hunts,
                                                               const std::vector<PastHunt>& past,
                                                               const std::string& kind,
                                                               const std::string& program, Draw& draw);

/// Draws the next mistake, and plants it with the sizes and names of a seed.
Planted draw_hunt(const Hunts& hunts, const std::vector<PastHunt>& past, const std::string& kind,
                  const std::string& program, std::uint64_t seed);

}  // namespace grader
