// Each program has a single rule with all its sources, since there are only a few and the commands should
// look like commands typed by hand.
#include "workspace/makefile.hpp"

#include <fmt/format.h>

#include "base/columns.hpp"
#include "base/regex.hpp"
#include "workspace/editor_files.hpp"

namespace grader {

std::string program_name(const std::vector<LabFile>& files) {
  static const Regex main_function(
      R"(\s*(?:(?:int|auto)\s+)?main\s*\(.*)");  // the return type may be on the previous line
  for (const LabFile& file : files) {
    if (!is_program_source(file.name)) continue;
    for (const std::string& line : split_lines(file.text))
      if (main_function.match(line)) return file.name.stem();
  }
  throw Error(ErrorKind::usage, "None of the files has a main(); expected the lab's program.");
}

std::string makefile_text(const Kit& kit, const Lab& lab, int level, const std::string& program,
                          const fs::path& emucc) {
  constexpr const char* text =
      R"(# The program of {lab}, level {level}, by hand. `grader makefile` wrote this file, and it is yours: change what you like.
#
#   make             {program}: for the GPU, as fast as it goes (nvcc)
#   make emu         {program}-emu: the same in emulation, without a GPU (emucc)
#   make lines       {program}-lines: fast, and ncu and compute-sanitizer know its lines (nvcc -lineinfo)
#   make debug       {program}-debug: slow, and cuda-gdb can step through its kernels (nvcc -g -G)
#   make emu-debug   {program}-emu-debug: the same for gdb, one CUDA thread at a time (emucc -g -G)
#   make check       {program}-check: finds races, bad accesses and barriers (emucc --check)
#   make cuda-gdb    runs {program}-debug in NVIDIA's debugger; ARGS="…" are the program's arguments
#   make gdb         runs {program}-emu-debug in gdb
#   make clean       deletes all of these programs
#
# Where no GPU is, as on the login node of a cluster, say for which one to compile: make ARCH=sm_90

NVCC    ?= nvcc
EMUCC   ?= {emucc}
HEADERS ?= {headers}
ARCH    ?= native
ARGS    ?=

SOURCES = $(sort $(wildcard *.cu *.cpp))
OPTIONS = -std=c++17{relocatable} -I $(HEADERS)
NEEDS   = $(SOURCES) $(wildcard *.h *.cuh *.hpp *.inl) Makefile

.PHONY: gpu emu lines debug emu-debug check cuda-gdb gdb clean
gpu: {program}
emu: {program}-emu
lines: {program}-lines
debug: {program}-debug
emu-debug: {program}-emu-debug
check: {program}-check

{program}: $(NEEDS)
	$(NVCC) $(OPTIONS) -O3 -arch=$(ARCH) $(SOURCES) -o $@
{program}-emu: $(NEEDS)
	$(EMUCC) $(OPTIONS) -O3 $(SOURCES) -o $@
{program}-lines: $(NEEDS)
	$(NVCC) $(OPTIONS) -O3 -lineinfo -arch=$(ARCH) $(SOURCES) -o $@
{program}-debug: $(NEEDS)
	$(NVCC) $(OPTIONS) -g -G -arch=$(ARCH) $(SOURCES) -o $@
{program}-emu-debug: $(NEEDS)
	$(EMUCC) $(OPTIONS) -g -O0 -G $(SOURCES) -o $@
{program}-check: $(NEEDS)
	$(EMUCC) $(OPTIONS) -g --check $(SOURCES) -o $@

cuda-gdb: {program}-debug
	cuda-gdb --args ./{program}-debug $(ARGS)
# The emulation interrupts threads that spin, by a signal that is none of the debugger's business.
gdb: {program}-emu-debug
	gdb -ex 'handle SIG40 nostop noprint' --args ./{program}-emu-debug $(ARGS)

clean:
	$(RM) {program} $(addprefix {program}-,emu lines debug emu-debug check)
)";
  return fmt::format(fmt::runtime(text), fmt::arg("lab", lab.id), fmt::arg("level", level),
                     fmt::arg("program", program),
                     fmt::arg("relocatable", lab.relocatable ? " -rdc=true" : ""),
                     fmt::arg("emucc", emucc.empty() ? "emucc" : emucc.string()),
                     fmt::arg("headers", lab_headers(kit).string()));
}

}  // namespace grader
