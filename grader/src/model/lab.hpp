/// @file
/// A lab as its author wrote it, as plain data: what `labs/<id>-<name>/lab.toml` declares.
///
/// Times are seconds, sizes are bytes, rates are bytes per second: only printers scale.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/filesystem.hpp"
#include "model/data_file.hpp"
#include "model/measure.hpp"

namespace grader {

/// Where a lab's program runs: on a GPU through nvcc, or in emulation through emucc.
enum class Backend { emu, gpu };
const char* to_string(Backend backend);  ///< "emu" or "gpu"

/// Points that a part has on a GPU only, since nothing else can judge what they are for.
struct OnGpu {
  double points = 0;
  std::string why;  ///< what is not judged without a GPU, in words that students read
};

/// One numbered blank.
struct Part {
  int id = 0;  ///< counts from 1
  std::string title;
  double points = 0;
  std::vector<std::string> hints;  ///< from the first nudge to nearly the answer
  std::vector<int> levels = {};    ///< where it is blank, and so counts; empty: at all of them
  OnGpu on_gpu = {};               ///< of its points

  /// The solution is asked for every part, whatever the level.
  bool counts_at(int level) const {
    return levels.empty() || std::find(levels.begin(), levels.end(), level) != levels.end();
  }
};

/// One degree of guidance: 1 is the most guided.
struct LevelNote {
  int id = 1;
  std::string title = {};  ///< for the report's banner; may be empty
  /// Files that are handed out whole at this level, though another level asks for them.
  std::vector<std::string> complete = {};
};

/// How far an element may be off: |got - expected| <= abs + rel * |expected| + of_max * (largest |expected|
/// of the array). All zero: exact.
struct Tolerance {
  double abs = 0;
  double rel = 0;
  std::string why;  ///< the reason, which the mismatch report repeats; never empty when one is not zero
  double of_max = 0;

  bool exact() const { return abs == 0 && rel == 0 && of_max == 0; }
};

/// How the result of a case is verified.
enum class Verify {
  gold,       ///< inputs and expected output are stored in gold/, with checksums
  oracle,     ///< inputs are drawn fresh with a secret seed; the lab's oracle computes the expected output
  freivalds,  ///< inputs are drawn fresh; output = inputs[0] · inputs[1] is verified by Freivalds' method in
              ///< double
  lines,      ///< standard output holds a set of lines that the oracle lists; their order is free
  none,       ///< the run must end well and meet its requirements; its result counts in other cases
  sample,     ///< as oracle, but it computes some elements only and leaves NaN for those not compared
};
const char* to_string(Verify verify);  ///< "gold": the word of lab.toml

/// Why results that are verified in this way can't have this tolerance, the rest of a sentence; empty when they
/// can.
std::string tolerance_problem(Verify verify, const Tolerance& tolerance);

/// When students see a case's input and result.
enum class Visibility { visible, after_due_date, hidden };

/// What a case asks for beside the right output.
enum class Requirement {
  freed,   ///< every device allocation was freed before the program ended
  timers,  ///< the timers that the program prints cover the work that the profile saw
  shared,  ///< the kernel that took the longest has shared memory
};

/// What a case asks of what its kernels did, beside the right output: an amount over all launches of the run, in
/// emulation.
struct Count {
  std::string of;               ///< "shared_loads": one of countable()
  std::string per;              ///< "warps": for each of them; empty: all together
  std::optional<double> least;  ///< at_least
  std::optional<double> most;   ///< at_most
  std::string says;             ///< what a kernel that breaks it does, a sentence for students

  /// Known from the profile of any run; the others take a run with the emulation's counters.
  bool in_profile() const { return per.empty() && (of == "launches" || of == "threads"); }
};

/// What a Count may be of: launches, threads, occupancy (the lowest of all launches), and the emulation's counters.
const std::vector<std::string>& countable();

/// What a case asks of a text that the program prints: the student's reasons.
struct Explains {
  std::string line;  ///< behind which the text stands, up to the end; empty: not asked for
  int numbers =
      0;  ///< so many different ones in it were measured: in the student's tables, or counted in this case
};

/// A choice of macros that must be nearly as fast as the best of some others: for labs on tuning.
struct NearBest {
  double within = 0;  ///< kernel time of the submission as it is over that of the fastest; 0: not asked for
  std::vector<std::map<std::string, std::string>> of;  ///< macros of the others, given with -D
};

/// One argument of a case of which a class draws a number: "--length={257..511}".
struct DrawnArgument {
  std::string before, after;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> limits =
      {};  ///< both included; none: `before` is all

  /// Nothing when that is none: at most one pair of braces, and in it two numbers, the smaller one first.
  static std::optional<DrawnArgument> parse(const std::string& text);
  /// @param random any number
  std::string pick(std::uint64_t random) const;
  /// Whether it can come to this.
  bool can_be(const std::string& argument) const;
};

/// One input with its expected output.
struct Case {
  std::string id;                    ///< stable; names the folder in gold/
  std::vector<std::string> args;     ///< the program's arguments as the handout gives them
  std::vector<DrawnArgument> drawn;  ///< in their places those of a class (drawn.hpp); empty: the same
  std::map<std::string, std::string> macros;  ///< given with -D: the case has a program of its own
  std::optional<std::uint64_t> seed;          ///< fixed for gold; drawn secretly otherwise
  double points = 1;                          ///< weight of the case among those that prove the same parts
  std::string about;  ///< what is special about it, as the end of a sentence; said where its output is wrong
  Visibility visibility = Visibility::visible;
  Verify verify = Verify::oracle;
  Tolerance tolerance;
  double timeout_gpu = 20;  ///< seconds
  double timeout_emu = 20;  ///< seconds
  std::vector<Backend> backends = {Backend::emu, Backend::gpu};
  int devices = 1;         ///< that its program uses: GPUs at most, in emulation exactly so many
  std::vector<int> parts;  ///< the parts that the case proves
  std::vector<Requirement> requirements;
  std::vector<Count> counts;
  Explains explains;
  /// Parts that have no points while the case's result is right but not come by as it asks.
  std::vector<int> decides;
  bool from_device =
      false;  ///< the output file must hold what came back from the device, as a kernel left it there
  NearBest near_best;
  /// `grader check` runs the case, at a small size, since a checked program is many times slower:
  /// these arguments stand in the place of `args`. None: the case is not checked.
  std::optional<std::vector<std::string>> checked;
  std::string unchecked;  ///< why grading does not ask that the checker find nothing; empty: it does

  /// A right result may be luck, as a race has it: the checker must find nothing either, at the checking size. Not
  /// where no result is looked at: what is wrong in it costs the parts that other cases prove.
  bool asks_checker() const { return checked && unchecked.empty() && verify != Verify::none; }
  /// Whether the case has something to run on a backend.
  bool runs_on(Backend backend) const {
    return std::find(backends.begin(), backends.end(), backend) != backends.end();
  }
};

/// A case with other arguments. Gold and `about` are of its own alone: the oracle takes the place of gold.
Case with_arguments(Case c, std::vector<std::string> args);

/// A line that the program prints with a time in ms,
/// and the profile's measures that it must cover (Requirement::timers).
struct PrintedTimer {
  std::string line;             ///< text before the colon, e.g. "GPU computation time"
  std::vector<Measure> covers;  ///< each in_profile()
};

/// One axis of a table: the values of an argument, or of a macro given with -D.
struct Axis {
  enum class Kind { argument, macro };

  std::string name;  ///< heading; for a macro, its name
  Kind kind = Kind::argument;
  std::vector<std::string> values;
  std::vector<std::string> emu_values;  ///< smaller values for emulation; empty: the same
  std::vector<std::string> labels;      ///< how rows are headed; empty: the values

  /// How a value is headed. Labels belong to `values`; a value that only the emulation has is its own label, of an option
  /// the text after its "=".
  std::string label_of(const std::string& value) const;
  const std::vector<std::string>& values_on(Backend backend) const;
};

/// One measured or derived column of a table.
struct Column {
  std::string id;
  std::string title;
  Measure measure;
  std::string unit;  ///< "s", "B/s", "B" or "1"
};

/// A sweep that a handout asks for.
struct TableSpec {
  std::string id;
  std::string title;
  std::vector<Axis> axes;
  std::vector<Column> columns;
  std::string baseline;  ///< value of the first axis whose row is the 1 of ratio columns; may be empty
  int samples = 5;       ///< runs per row
  int devices = 1;       ///< Case::devices of its rows
  bool search = false;   ///< looks for the fastest row: measured when it is asked for, shown fastest first
  std::optional<Tolerance> tolerance = {};  ///< of its rows; none: that of the case a row is verified as
};

/// A program that stands beside the lab's own in tables: one of `labs/<lab>/peer`, or a lab's solution. It
/// takes the options of the lab's own program, and its results are verified in the same way.
struct Peer {
  std::string name;    ///< stable; letters, digits, _ and -
  std::string title;   ///< heading of its column
  std::string source;  ///< a file in the lab's folder peer/; empty: the solution of `lab` is the peer
  std::string lab;     ///< id of a lab
  /// Files of the submission that are compiled with the source: then the peer's program runs both in turn,
  /// and records each sample as a timer "own" or "peer".
  std::vector<std::string> with;
  std::map<std::string, std::string> macros;
  std::vector<std::string> link;  ///< libraries: "cublas" is -lcublas
  /// Headings of the table's arguments that are given to it; none: all of them.
  std::optional<std::vector<std::string>> takes;
  std::vector<std::string> args;    ///< given behind the row's
  std::vector<std::string> tables;  ///< ids of the tables it stands in; empty: every table but searches
  std::vector<Backend> backends = {Backend::emu, Backend::gpu};
};

/// A run of moving points, which `grader view LAB` plays: the program dumps them (lab/frames.hpp) when told --dump FILE.
struct FilmSpec {
  std::vector<std::string> args;
  std::vector<std::string> emu_args;  ///< smaller ones for emulation; empty: the same
};

/// A part of a lab's still: what one run of the right solution did, drawn.
struct StillPanel {
  enum class Draws {
    arrays,  ///< each as a grid, its elements in the colour of who wrote or read them
    rounds,  ///< of one array a row of elements for each stretch between barriers, with ways from what was read to what was written
    threads,  ///< the blocks of a launch with their threads
    film      ///< a frame of the lab's film
  };
  enum class Colour { warp, block, thread, stretch, launch };
  enum class Numbers { none, reads, thread, value };
  std::string title;
  std::string case_id;  ///< at its checking size
  Draws draws = Draws::arrays;
  /// Their names, in the order in which they stand; "data_[20]" where arrays of other sizes have the same name.
  std::vector<std::string> arrays;
  int first_launch = 1, last_launch = 0;  ///< those that count, from 1; 0: to the program's end
  std::vector<unsigned> block;            ///< the only one that counts; empty: all
  int first = 1, last = 0;                ///< stretches of each block that count, from 1; 0: to its end
  Colour colour = Colour::warp;
  Numbers numbers = Numbers::none;  ///< in the elements
  std::size_t elements = 0;         ///< of each array the first; 0: all
  int frame = 0;                    ///< of a film
};

/// How `grader view LAB` shows a lab.
struct ViewSpec {
  std::string story;  ///< one sentence: what there is to see; also stands for the still where nobody sees it
  std::string case_id;  ///< that is looked at where none is named; empty: the first
  std::map<std::string, std::vector<std::size_t>>
      shapes;                      ///< of arrays on the device that are no files, by their names there
  std::vector<StillPanel> panels;  ///< of the still; none: there is no still
};

/// One of several algorithms inside a lab.
struct Variant {
  std::string name;
  std::string title;
};

/// One exercise.
struct Lab {
  fs::path folder;   ///< `labs/<id>-<name>`
  std::string id;    ///< "lab2.1"
  std::string name;  ///< "matrixmul"
  std::string title;
  std::vector<std::string> objectives;
  std::vector<std::string> prerequisites;
  int levels = 1;
  bool relocatable = false;                 ///< compiled with -rdc=true, as kernels that launch kernels need
  std::vector<LevelNote> level_notes = {};  ///< those that lab.toml says something of
  /// Headers that students may include beside those of the standard library, the kit and CUDA's runtime.
  std::vector<std::string> allowed = {};
  std::vector<std::string> inputs;  ///< names, in the order of the program's --input options (data_file.hpp)
  Output output;
  bool from_device = false;  ///< Case::from_device, where a case does not say
  std::vector<Part> parts;
  std::vector<Case> cases;
  std::vector<PrintedTimer> printed_timers;
  std::vector<TableSpec> tables;
  std::vector<Peer> peers;
  std::vector<Variant> variants;
  std::optional<FilmSpec> film;
  std::optional<ViewSpec> view = {};

  /// What lab.toml says of a level; nothing special when it says nothing.
  LevelNote level(int number) const {
    for (const LevelNote& note : level_notes)
      if (note.id == number) return note;
    return {number, {}, {}};
  }
  /// Does one of these parts count at a level?
  bool counts_at(int level, const std::vector<int>& some) const {
    return std::any_of(parts.begin(), parts.end(), [&](const Part& part) {
      return part.counts_at(level) && std::find(some.begin(), some.end(), part.id) != some.end();
    });
  }
  std::string folder_name() const { return id + "-" + name; }
};

/// The case as which a run with these arguments is verified: the one that has them, else the one that suits any
/// size, else the last. None where no case of the lab looks at a result.
const Case* case_for(const Lab& lab, const std::vector<std::string>& args);

}  // namespace grader
