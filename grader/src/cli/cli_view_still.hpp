/// @file
/// `grader view LAB --still FILE.svg` draws the picture in a lab's handout from the user's kernel or from the
/// solution. This header is private to cli*.cpp.
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
