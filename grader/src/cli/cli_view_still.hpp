/// @file
/// `grader view LAB --still FILE.svg`: the picture of a lab's handout, of one's own kernel or of the solution. Private to cli*.cpp.
#pragma once
#include "cli/cli_session.hpp"

namespace grader {

struct StillOptions {
  LabChoice& lab;
  SourceChoice& source;
  std::string to;
  bool replace = false;
};

int run_view_still(Session& session, const StillOptions& o);

}  // namespace grader
