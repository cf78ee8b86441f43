/// @file
/// A lab's program that dumps moving points (lab/frames.hpp). Private to cli*.cpp.
#pragma once
#include "cli/cli_session.hpp"

namespace grader {

/// The run of the lab's film in lab.toml. Its result is not verified.
Case film_case(const Lab& lab, Backend backend);

/// Runs a program with --dump. @return the dump, in `folder`  @throws Error (usage) where it left none
fs::path film_dump(Session& session, const Submission& submission, Case c, Backend backend,
                   const CaseData& data, const fs::path& folder);

}  // namespace grader
