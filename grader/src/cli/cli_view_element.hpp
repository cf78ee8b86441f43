/// @file
/// `grader view LAB --element 'P[2][3]'` shows why an element has its value. This header is private to cli*.cpp.
#pragma once
#include "cli/cli_session.hpp"

namespace grader {

struct ElementOptions {
  LabChoice& lab;
  SourceChoice& source;
  const CaseChoice& which;
  std::string element;
  std::string format;
};

int run_view_element(Session& session, const ElementOptions& o);

}  // namespace grader
