/// @file
/// A Makefile for a student's folder: the program by hand, for a GPU and in emulation, as fast as it goes and for a
/// debugger. The grader needs none; who wants to see the compiler's commands, or to step through a kernel, does.
#pragma once
#include "catalog/catalog.hpp"
#include "workspace/lab_files.hpp"

namespace grader {

/// What the program of these files is called: the name of the file that holds main(), without its ending.
/// @throws Error (usage) when no file does
std::string program_name(const std::vector<LabFile>& files);

/// The Makefile of a level's folder. @param emucc the compiler of the emulation; empty: the one in PATH
std::string makefile_text(const Kit& kit, const Lab& lab, int level, const std::string& program,
                          const fs::path& emucc);

}  // namespace grader
