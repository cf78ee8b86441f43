/// @file
/// `grader view LAB`: what a lab's kernels do, step by step. Private to cli*.cpp.
#pragma once
#include "cli/cli_session.hpp"
#include "model/trace.hpp"

namespace grader {

struct KernelOptions {
  LabChoice& lab;
  SourceChoice& source;
  const CaseChoice& which;
  std::string format;  ///< "text" or "json"; empty: a page
  std::string to;      ///< the page; empty: LAB.html
  bool replace = false;
};

struct KernelView {
  fs::path page;  ///< empty: it was told in words
};

/// What becomes of a trace: a page, or words.
struct TraceOutput {
  std::string format;  ///< "text" or "json"; empty: a page
  fs::path to;         ///< the page, or the file for the words; empty: they are printed
  std::string title;   ///< of the page
  std::string name;    ///< what it is of, as people say
  bool replace = false;
};

/// Writes the page, or tells of it.
KernelView show_trace(Session& session, const Trace& trace, const TraceOutput& o);

/// Runs a case, the first that shows a mistake where none is named, and writes its page or tells of it.
KernelView view_kernel(Session& session, const KernelOptions& o);

}  // namespace grader
