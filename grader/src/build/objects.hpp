/// @file
/// Sources → objects, one for each, each made once: a student who changes one file of six waits for one, and
/// programs that differ in a macro share the objects that don't look at it.
///
/// An object is made in a folder that holds the files of its key and no others, so that what a key forgot is
/// not there to be compiled.
#pragma once
#include <optional>

#include "build/build.hpp"

namespace grader {

/// An object that a program needs.
struct ObjectPlan {
  const SubmissionFile* source = nullptr;
  std::vector<const SubmissionFile*> files;  ///< that the compiler may see, the source among them
  std::vector<std::string> command;          ///< without source and output
  std::string key;
  bool of_the_kit =
      false;  ///< none of the submission's: the functions of lab/, which its sources are linked with
};

/// How the objects of a program are made; nothing is compiled yet. Sources that include lab/ leave the functions of these
/// headers to one more object (lab/inline.hpp), which all labs of a kit share.
/// @param command what all of them are compiled with, without macros
/// @param environment environment_digest() of what they are compiled with
std::vector<ObjectPlan> plan_objects(const Toolchain& toolchain, const Submission& submission,
                                     Backend backend, const std::vector<std::string>& command,
                                     const Macros& macros, const std::string& environment);

struct Objects {
  bool ok = true;               ///< all are there
  std::vector<fs::path> files;  ///< in the cache, in the order of the plans
  std::string diagnostics;      ///< of all, in that order: also of those that were made long ago
  std::size_t compiled = 0;     ///< sources of the submission that a compiler read now
};

/// Has emucc make the precompiled headers that a plan's object shares with all others (Headers::shared).
void make_shared_headers_of(const Machine& machine, const Kit& kit, const Toolchain& toolchain,
                            Instrument instrument, const ObjectPlan& plan);

/// The files that the compilers of the submission's own objects read. None where that is not known of one of them.
std::optional<std::vector<fs::path>> files_read(const Machine& machine, const Kit& kit,
                                                const std::vector<ObjectPlan>& plans);

/// Finds the objects or compiles them, as many at once as there are places for compilers. A source that fails
/// keeps nobody from the others, so that all messages come at once.
/// @throws Error (environment) as build() does
Objects make_objects(const Machine& machine, const Kit& kit, const Toolchain& toolchain, Backend backend,
                     Instrument instrument, const std::vector<ObjectPlan>& plans);

}  // namespace grader
