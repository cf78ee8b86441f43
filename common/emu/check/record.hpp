// The record of a program that was built by `emucc --record`: what its kernels do (tracer.cpp) and what the checker finds,
// told line by line, as JSON, while the program runs. Who reads it is a program beside emucc, which is started when this one
// begins and makes a page of what it was told, however this one ends: by returning from main, by exit(), by a signal. The
// emulation knows no more of it than its command line. Where it is not there, the lines go to a file.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace cuemu::check {

struct Finding;

/// What CUEMU_RECORD asks for: `CUEMU_RECORD=format=text,blocks=32,A=64x64`.
struct RecordSettings {
  std::string file;                 ///< of the page; empty: named as the program
  std::string format;               ///< "text" or "json"; empty: a page
  std::string record;               ///< the lines go to this file, and no page is made
  std::vector<std::string> shapes;  ///< "A=64x64"
  std::size_t blocks = 16;          ///< of each launch
  std::uint64_t from = 1;           ///< the first launch that is recorded
  bool replace = false;             ///< any file, not only a page
  bool off = false;
};

/// Was the program built to be recorded, by nobody who listens in another way, and not told to leave it?
bool is_recorded();

/// Read once from the environment; what is not understood ends the program with a sentence.
const RecordSettings& record_settings();

/// Before main(): starts the reader.
void begin_record();

/// Tells it a JSON object of one line, which begins with `"kind": …`.
void tell_record(std::string line);

/// The text of a source file, once, where it can be read.
void tell_source(const std::string& file);

/// All findings so far, with their sources.
/// @param unwatched kernels whose code tells nothing
void tell_findings(const std::vector<Finding>& findings, const std::set<std::string>& unwatched);

/// The program ends with this status, or by the signal of this number if it is negative: waits until the page is there.
void end_record(int status);

}  // namespace cuemu::check
