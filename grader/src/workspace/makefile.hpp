/// @file
/// Writes a Makefile for a student's folder. It builds the program for a GPU and in emulation, optimised and
/// for a debugger. The grader does not use it. It shows students the compiler's commands, and builds a
/// program with which they can step through a kernel.
#pragma once
#include "catalog/catalog.hpp"
#include "workspace/lab_files.hpp"

namespace grader {

/// The program's name: that of the file with main(), without its extension.
/// @throws Error (usage) when no file has main()
std::string program_name(const std::vector<LabFile>& files);

/// The Makefile of a level's folder. @param emucc the compiler of the emulation; empty: the emucc in PATH
std::string makefile_text(const Kit& kit, const Lab& lab, int level, const std::string& program,
                          const fs::path& emucc);

}  // namespace grader
