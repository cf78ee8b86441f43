/// @file
/// Compiles each source to one object, and only once. If one file of six changes, only this file is compiled.
/// Programs that differ in a macro share the objects that don't use it.
///
/// An object is made in a folder that contains only the files of its key, so no other file can become part of
/// it.
#pragma once
#include <optional>

#include "build/build.hpp"

namespace grader {

/// An object that a program needs.
struct ObjectPlan {
  const SubmissionFile* source = nullptr;
  std::vector<const SubmissionFile*> files;  ///< the files that the compiler sees, including the source
  std::vector<std::string> command;          ///< the command without source and output
  std::string key;
  bool watchable = false;   ///< whether the object's code reports to tools
  bool of_the_kit = false;  ///< whether the object has the functions of lab/, not a source of the submission
};

/// Plans the objects of a program, without compiling. Objects of sources that include lab/ don't contain the
/// functions of these headers: another object (lab/inline.hpp), which all labs of a kit share, contains them.
/// code_for() says which instruments share objects.
/// @param architecture the GPU architecture for which the backend compiles; empty in emulation
/// @param environment the compilation's environment_digest()
std::vector<ObjectPlan> plan_objects(const Toolchain& toolchain, const Submission& submission,
                                     Backend backend, const std::string& architecture, Instrument instrument,
                                     const Macros& macros, const std::string& environment);

struct Objects {
  bool ok = true;               ///< whether all exist
  std::vector<fs::path> files;  ///< the objects in the cache, in the order of the plans
  std::string diagnostics;      ///< the messages on all objects in this order, also on cached ones
  std::size_t compiled = 0;     ///< number of the submission's sources that were compiled now
};

/// Makes emucc create the precompiled headers that a plan's object shares with all others (Headers::shared).
void make_shared_headers_of(const Machine& machine, const Kit& kit, const Toolchain& toolchain,
                            const ObjectPlan& plan);

/// The files that the compilers read for the submission's own objects. No value if they are unknown for any
/// object.
std::optional<std::vector<fs::path>> files_read(const Machine& machine, const Kit& kit,
                                                const std::vector<ObjectPlan>& plans);

/// Finds or compiles the objects, in parallel on all compiler slots. If one source does not compile, the
/// others still do, so that the student sees all messages at once.
/// @throws Error (environment) under the same conditions as build()
Objects make_objects(const Machine& machine, const Kit& kit, const Toolchain& toolchain, Backend backend,
                     const std::vector<ObjectPlan>& plans);

}  // namespace grader
