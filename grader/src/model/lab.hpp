/// @file
/// A lab's declaration in `labs/<id>-<name>/lab.toml`, as plain data.
///
/// Times are seconds, sizes are bytes, and rates are bytes per second. Only printers scale values.
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

/// The points of a part that only a GPU can judge.
struct OnGpu {
  double points = 0;
  std::string why;  ///< what is not judged without a GPU, in words for students
};

/// One numbered blank.
struct Part {
  int id = 0;  ///< counts from 1
  std::string title;
  double points = 0;
  std::vector<std::string> hints;  ///< from a first nudge to almost the answer
  std::vector<int> levels = {};    ///< levels at which the part is blank, and so counts; empty: all
  OnGpu on_gpu = {};               ///< the points that only a GPU can judge

  /// Whether the part counts at a level. The solution must have every part, regardless of the level.
  bool counts_at(int level) const {
    return levels.empty() || std::find(levels.begin(), levels.end(), level) != levels.end();
  }
};

/// One degree of guidance. Level 1 is the most guided.
struct LevelNote {
  int id = 1;
  std::string title = {};  ///< text in the report's banner; may be empty
  /// Files that this level gives in full, although they have blanks at another level.
  std::vector<std::string> complete = {};
};

/// The allowed error of an element: |got - expected| <= abs + rel * |expected| + of_max * (largest |expected| of the
/// array). If all are zero, the comparison is exact.
struct Tolerance {
  double abs = 0;
  double rel = 0;
  std::string why;  ///< the reason, repeated in the mismatch report; not empty unless all are zero
  double of_max = 0;

  bool exact() const { return abs == 0 && rel == 0 && of_max == 0; }
};

/// How the result of a case is verified.
enum class Verify {
  gold,       ///< inputs and expected output are stored in gold/, with checksums
  oracle,     ///< inputs are drawn fresh with a secret seed; the lab's oracle computes the expected output
  freivalds,  ///< inputs are drawn fresh; output = inputs[0] · inputs[1] is verified by Freivalds' method in
              ///< double
  judge,      ///< the lab's judge, a function of its oracle, decides
  none,       ///< the run must succeed and meet its requirements; its result counts in other cases
  sample,     ///< like oracle, but it computes only some elements and leaves NaN in the others
};
const char* to_string(Verify verify);  ///< "gold": the word of lab.toml

/// The reason why a case that is verified in this way can't have this tolerance, as the end of a sentence.
/// Empty if it can have the tolerance.
std::string tolerance_problem(Verify verify, const Tolerance& tolerance);

/// When students may see the input and the result of a case.
enum class Visibility { visible, after_due_date, hidden };

/// A case's requirements besides the right output.
enum class Requirement {
  freed,   ///< every device allocation was freed before the program ended
  timers,  ///< the timers that the program prints cover the work in the profile
  shared,  ///< the longest kernel uses shared memory
  judge,   ///< the lab's judge decides on everything else
};

/// A case's requirement on the work of its kernels, besides the right output. It limits a count over all launches of
/// the run, in emulation.
struct Count {
  std::string of;               ///< "shared_loads": a name of countable()
  std::string per;              ///< "warps": the limit is on the count for each; empty: on the total
  std::optional<double> least;  ///< at_least
  std::optional<double> most;   ///< at_most
  std::string says;             ///< a sentence for students on what a broken limit means

  /// Whether the profile of any run has this count. Other counts need a run with the emulation's counters.
  bool in_profile() const;
};

/// The names for Count::of that a profile provides: the counts of the launches, and the bytes of all copies in each
/// direction.
inline constexpr const char* counted_in_profile[] = {"launches", "threads", "bytes_to_device",
                                                     "bytes_from_device"};

/// The names for Count::of: those of counted_in_profile, the occupancy (the smallest of all launches), and
/// the emulation's counters.
const std::vector<std::string>& countable();

/// An argument of a case with a number drawn for each class: "--length={257..511}".
struct DrawnArgument {
  std::string before, after;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> limits =
      {};  ///< both included; none: `before` is the whole argument

  /// No value for invalid text. At most one pair of braces is allowed, with two numbers in it, the smaller
  /// first.
  static std::optional<DrawnArgument> parse(const std::string& text);
  /// The argument with a number from its range. @param random any number, which chooses it
  std::string pick(std::uint64_t random) const;
  /// Whether `argument` may have been drawn.
  bool can_be(const std::string& argument) const;
};

/// One input with its expected output.
struct Case {
  std::string id;                             ///< stable; names the folder in gold/
  std::vector<std::string> args;              ///< the program's arguments in the handout
  std::vector<DrawnArgument> drawn;           ///< replace these for a class (drawn.hpp); empty: unchanged
  std::map<std::string, std::string> macros;  ///< passed with -D: the case has its own program
  std::optional<std::uint64_t> seed;          ///< fixed for gold; otherwise drawn secretly
  double points = 1;                          ///< weight of the case among those that prove the same parts
  std::string about;  ///< what is special about it, as the end of a sentence; shown if its output is wrong
  Visibility visibility = Visibility::visible;
  Verify verify = Verify::oracle;
  Tolerance tolerance;
  double timeout_gpu = 20;  ///< seconds
  double timeout_emu = 20;  ///< seconds
  std::vector<Backend> backends = {Backend::emu, Backend::gpu};
  int devices = 1;         ///< most GPUs that its program may use; in emulation the exact number
  std::vector<int> parts;  ///< the parts that the case proves
  std::vector<Requirement> requirements;
  std::vector<Count> counts;
  /// Parts that lose their points if the case's result is right but was not computed in the required way.
  std::vector<int> decides;
  bool from_device =
      false;  ///< the output file must hold data that came back from the device, as a kernel left them there
  /// `grader check` runs the case at a small size, since a checked program is many times slower: these arguments
  /// replace `args`. Without a value the case is not checked.
  std::optional<std::vector<std::string>> checked;
  std::string unchecked;  ///< why grading does not require a clean run under the checker; empty: it does

  /// Whether grading also requires that the checker finds no mistake at the checking size. A right result may
  /// be luck, for example if there is a race. Cases without a verified result are exempt: a mistake in such a
  /// case would cost points of parts that other cases prove.
  bool asks_checker() const { return checked && unchecked.empty() && verify != Verify::none; }
  /// Whether the lab's judge decides on the case's output, or on a requirement of the case.
  bool asks_judge() const {
    return verify == Verify::judge ||
           std::find(requirements.begin(), requirements.end(), Requirement::judge) != requirements.end();
  }
  /// Whether the case runs on a backend.
  bool runs_on(Backend backend) const {
    return std::find(backends.begin(), backends.end(), backend) != backends.end();
  }
};

/// The case with other arguments. The result has no gold file and no `about`, since both belong to the case's
/// own arguments. The oracle computes its expected output.
Case with_arguments(Case c, std::vector<std::string> args);

/// A line with a time in ms that the program prints, and the measures of the profile that the time must cover
/// (Requirement::timers).
struct PrintedTimer {
  std::string line;             ///< text before the colon, e.g. "GPU computation time"
  std::vector<Measure> covers;  ///< each in_profile()
};

/// One axis of a table: the values of an argument, or of a macro that is passed with -D.
struct Axis {
  enum class Kind { argument, macro };

  std::string name;  ///< heading; for a macro, its name
  Kind kind = Kind::argument;
  std::vector<std::string> values;
  std::vector<std::string> emu_values;  ///< smaller values for emulation; empty: those of `values`
  std::vector<std::string> labels;      ///< headings of the rows; empty: the values

  /// The heading for a value of the axis: its label, if it has one. A value that only the emulation has is
  /// its own heading. The heading for an option is the text after its "=".
  std::string label_of(const std::string& value) const;
  const std::vector<std::string>& values_on(Backend backend) const;
};

/// One measured or derived column of a table.
struct Column {
  std::string id;
  std::string title;
  Measure measure;
  std::string unit;        ///< "s", "B/s", "B", "1", or "%" for a fraction that is shown in percent
  std::string along = {};  ///< for a gain, the axis along which rows are compared
};

/// The axes and columns that a table's plot shows. report/plot.cpp chooses the axes and columns that are empty here.
struct PlotSpec {
  static constexpr const char* by_columns = "columns";
  std::string x;  ///< the axis along the plot; "columns": the marks are the columns' titles up to a comma
  std::string panels;                ///< an axis with a panel for each of its values
  std::vector<std::string> columns;  ///< ids of the columns to draw; empty: all
};

/// A sweep that a handout requires.
struct TableSpec {
  std::string id;
  std::string title;
  std::vector<Axis> axes;
  std::vector<Column> columns;
  std::string
      baseline;         ///< value of the first axis whose row is the reference of ratio columns; may be empty
  int samples = 5;      ///< runs per row
  int devices = 1;      ///< Case::devices of its rows
  bool search = false;  ///< finds the fastest row: measured on request, shown fastest first
  std::optional<Tolerance> tolerance = {};  ///< tolerance of its rows; no value: that of the verifying case
  PlotSpec plot = {};
};

/// A program that tables compare with the lab's own program: a program in `labs/<lab>/peer`, or a lab's
/// solution. It takes the same options as the lab's own program, and its results are verified in the same
/// way.
struct Peer {
  std::string name;    ///< stable; letters, digits, _ and -
  std::string title;   ///< heading of its column
  std::string source;  ///< a file in the lab's folder peer/; empty: the solution of `lab` is the peer
  std::string lab;     ///< id of a lab
  /// Files of the submission that are compiled together with the peer's source. The peer's program then runs
  /// its own code and the submission's alternately, and records each sample as a timer "own" or "peer".
  std::vector<std::string> with;
  std::map<std::string, std::string> macros;
  std::vector<std::string> link;  ///< libraries: "cublas" is -lcublas
  /// The headings of the table's arguments that the peer receives; no value: all arguments.
  std::optional<std::vector<std::string>> takes;
  std::vector<std::string> args;    ///< appended to the row's
  std::vector<std::string> tables;  ///< ids of its tables; empty: all tables except searches
  std::vector<Backend> backends = {Backend::emu, Backend::gpu};
};

/// A run of moving points that `grader view LAB` plays. If the program gets --dump FILE, it dumps the points
/// to FILE (lab/frames.hpp).
struct FilmSpec {
  std::vector<std::string> args;
  std::vector<std::string> emu_args;  ///< smaller arguments for emulation; empty: unchanged
};

/// A part of a lab's still image: a drawing of one run of the right solution.
struct StillPanel {
  enum class Draws {
    arrays,   ///< each array as a grid, whose elements have the colour of their writers or readers
    rounds,   ///< the arrays after each barrier, with arrows from elements read to elements written
    threads,  ///< the blocks of a launch with their threads
    film      ///< a frame of the lab's film
  };
  enum class Colour { warp, block, thread, stretch, launch };
  enum class Numbers { none, reads, thread, value };
  std::string title;
  std::string case_id;  ///< the case, which runs at its checking size
  Draws draws = Draws::arrays;
  /// The names of the arrays, in the order in which they are drawn. If arrays of several sizes have the same
  /// name, "d_layer[20]" is the one with 20 elements.
  std::vector<std::string> arrays;
  int first_launch = 1, last_launch = 0;  ///< range of launches, from 1; 0: to the program's end
  std::vector<unsigned> block;            ///< the only block drawn; empty: all
  int first = 1, last = 0;                ///< range of stretches in each block, from 1; 0: to its end
  Colour colour = Colour::warp;
  Numbers numbers = Numbers::none;  ///< printed in the elements
  std::size_t elements = 0;         ///< number of leading elements of each array; 0: all
  int frame = 0;                    ///< number of the film's frame
};

/// The settings of `grader view LAB`.
struct ViewSpec {
  std::string story;    ///< one sentence about what the view shows; also the still's description
  std::string case_id;  ///< default case; empty: the first
  std::map<std::string, std::vector<std::size_t>>
      shapes;  ///< shapes of device arrays that are not files, by their names on the device
  std::vector<StillPanel> panels;  ///< panels of the still; empty: no still
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
  bool relocatable = false;                 ///< compiled with -rdc=true, for kernels that launch kernels
  std::vector<LevelNote> level_notes = {};  ///< the levels with notes in lab.toml
  /// Headers that students may include besides those of the standard library, the kit and CUDA's runtime.
  std::vector<std::string> allowed = {};
  std::vector<std::string> inputs;  ///< names, in the order of the program's --input options (data_file.hpp)
  Output output;
  bool from_device = false;  ///< default of Case::from_device
  std::vector<Part> parts;
  std::vector<Case> cases;
  std::vector<PrintedTimer> printed_timers;
  std::vector<TableSpec> tables;
  std::vector<Peer> peers;
  std::vector<Variant> variants;
  std::optional<FilmSpec> film;
  std::optional<ViewSpec> view = {};

  /// lab.toml's note on a level, or an empty one.
  LevelNote level(int number) const {
    for (const LevelNote& note : level_notes)
      if (note.id == number) return note;
    return {number, {}, {}};
  }
  /// Whether one of these parts counts at a level.
  bool counts_at(int level, const std::vector<int>& some) const {
    return std::any_of(parts.begin(), parts.end(), [&](const Part& part) {
      return part.counts_at(level) && std::find(some.begin(), some.end(), part.id) != some.end();
    });
  }
  std::string folder_name() const { return id + "-" + name; }
};

/// The case that verifies a run with these arguments: the one with the same arguments, or else the case for
/// any size, or else the last case. Null if no case of the lab verifies a result.
const Case* case_for(const Lab& lab, const std::vector<std::string>& args);

}  // namespace grader
