// The record of a program that was built with `emucc --record`. It contains the work of the program's kernels
// (tracer.cpp) and the checker's findings, written line by line as JSON while the program runs. The reader is
// a program next to emucc, which starts together with the recorded program. However the recorded program ends
// (by a return from main, by exit() or by a signal), the reader makes a page from the lines. The emulation
// knows only the reader's command line. Without a reader the lines are written to a file.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace cuemu::check {

struct Finding;

/// The options in CUEMU_RECORD: `CUEMU_RECORD=format=text,blocks=32,A=64x64`.
struct RecordSettings {
  std::string file;                 ///< the page's file; empty: it is named after the program
  std::string format;               ///< "text" or "json"; empty: a page
  std::string record;               ///< the file for the lines, without a page
  std::vector<std::string> shapes;  ///< "A=64x64"
  std::size_t blocks = 16;          ///< the number of recorded blocks of each launch
  std::uint64_t from = 1;           ///< the first recorded launch
  bool replace = false;             ///< overwrites any file, not only a page
  bool off = false;
};

/// Whether the program was built to be recorded, recording is not switched off, and no grader reads the
/// channel.
bool is_recorded();

/// Returns the settings, which are read once from the environment. An unknown option ends the program with a
/// message.
const RecordSettings& record_settings();

/// Starts the reader. Must run before main().
void begin_record();

/// Writes a JSON object as one line, which begins with `"kind": …`.
void send_record(std::string line);

/// Writes the text of a source file, if the file can be read and was not written before.
void send_source(const std::string& file);

/// Writes all findings so far, with their sources.
/// @param unwatched kernels without instrumentation
void send_findings(const std::vector<Finding>& findings, const std::set<std::string>& unwatched);

/// Called when the program ends with this status, or by a signal, given as a negated number. Waits until the
/// page is written.
void end_record(int status);

}  // namespace cuemu::check
