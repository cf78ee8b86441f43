/// @file
/// Runs a lab's program that dumps moving points (lab/frames.hpp). This header is private to cli*.cpp.
#pragma once
#include "cli/cli_session.hpp"

namespace grader {

/// The run for the lab's film, as lab.toml declares it. Its result is not verified.
Case film_case(const Lab& lab, Backend backend);

/// Runs a program with --dump. @return the dump, a file in `folder`. @throws Error (usage) when the program
/// left no dump
fs::path film_dump(Session& session, const Submission& submission, Case c, Backend backend,
                   const CaseData& data, const fs::path& folder);

}  // namespace grader
