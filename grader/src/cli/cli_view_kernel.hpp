/// @file
/// `grader view LAB` shows the work of a lab's kernels, step by step. This header is private to cli*.cpp.
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
  fs::path page;  ///< empty if text was printed
};

/// Where and how a trace is written, as a page or as text.
struct TraceOutput {
  std::string format;  ///< "text" or "json"; empty: a page
  fs::path to;         ///< the page, or the file for the text; empty: standard output
  std::string title;   ///< of the page
  std::string name;    ///< of the traced program, for messages
  bool replace = false;
};

/// Writes the page, or the text.
KernelView show_trace(Session& session, const Trace& trace, const TraceOutput& o);

/// Runs the named case, or the first case that shows a mistake, and writes its page or text.
KernelView view_kernel(Session& session, const KernelOptions& o);

}  // namespace grader
