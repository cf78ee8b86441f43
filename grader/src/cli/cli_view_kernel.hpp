/// @file
/// `grader view LAB`: what a lab's kernels do, step by step. Private to cli*.cpp.
#pragma once
#include "cli/cli_session.hpp"

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

/// Runs a case, the first that shows a mistake where none is named, and writes its page or tells of it.
KernelView view_kernel(Session& session, const KernelOptions& o);

}  // namespace grader
