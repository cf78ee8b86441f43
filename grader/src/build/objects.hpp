/// @file
/// Sources → objects, one for each, each made once: after a change to one file of six only that one compiles, and
/// programs that differ in a macro share the objects that don't use it.
///
/// An object is made in a folder that holds only the files of its key, so that a file missing from the key can't be
/// compiled in.
#pragma once
#include <optional>

#include "build/build.hpp"

namespace grader {

/// An object that a program needs.
struct ObjectPlan {
  const SubmissionFile* source = nullptr;
  std::vector<const SubmissionFile*> files;  ///< visible to the compiler, with the source
  std::vector<std::string> command;          ///< without source and output
  std::string key;
  bool watchable = false;  ///< its code reports to tools
  bool of_the_kit =
      false;  ///< not from the submission: the functions of lab/, which its sources are linked with
};

/// Plans the objects of a program, without compiling. Sources that include lab/ leave the functions of these headers
/// to one more object (lab/inline.hpp), which all labs of a kit share. code_for() says which instruments share objects.
/// @param architecture of the GPU, for which the backend compiles; emulation has none
/// @param environment environment_digest() of the compilation
std::vector<ObjectPlan> plan_objects(const Toolchain& toolchain, const Submission& submission,
                                     Backend backend, const std::string& architecture, Instrument instrument,
                                     const Macros& macros, const std::string& environment);

struct Objects {
  bool ok = true;               ///< all exist
  std::vector<fs::path> files;  ///< in the cache, in the order of the plans
  std::string diagnostics;      ///< of all objects, in that order, also of cached ones
  std::size_t compiled = 0;     ///< sources of the submission compiled now
};

/// Makes emucc create the precompiled headers that a plan's object shares with all others (Headers::shared).
void make_shared_headers_of(const Machine& machine, const Kit& kit, const Toolchain& toolchain,
                            const ObjectPlan& plan);

/// The files that the compilers of the submission's own objects read. None if unknown for one of them.
std::optional<std::vector<fs::path>> files_read(const Machine& machine, const Kit& kit,
                                                const std::vector<ObjectPlan>& plans);

/// Finds or compiles the objects, as many in parallel as there are compiler slots. A failing source does not stop the
/// others, so that all messages come at once.
/// @throws Error (environment) as build() does
Objects make_objects(const Machine& machine, const Kit& kit, const Toolchain& toolchain, Backend backend,
                     const std::vector<ObjectPlan>& plans);

}  // namespace grader
