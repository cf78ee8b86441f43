/// @file
/// `grader view LAB --beside WHAT` shows two runs on the same inputs, side by side. This header is private to
/// cli*.cpp.
#pragma once
#include "cli/cli_session.hpp"

namespace grader {

struct BesideOptions {
  LabChoice& lab;
  SourceChoice& source;
  const CaseChoice& which;
  std::string beside;       ///< "solution", another lab, or a folder of sources; empty: the same sources
  std::string beside_case;  ///< empty: the same case
  std::string format;       ///< "text" or "json"; empty: a page
  std::string to;           ///< the page; empty: LAB-beside.html
  bool replace = false;
};

/// @return the page; empty when text was printed instead
fs::path view_beside(Session& session, const BesideOptions& o);

}  // namespace grader
