#include "build/resources.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/columns.hpp"

namespace grader {
namespace {

/// The number before `unit`, as in "20480 bytes smem"; 0 if there is none.
std::uint64_t number_before(const std::string& line, const std::string& unit) {
  const std::size_t at = line.find(unit);
  if (at == std::string::npos) return 0;
  std::size_t begin = at;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
  std::uint64_t value = 0;
  std::from_chars(line.data() + begin, line.data() + at, value);
  return value;
}

std::string demangled(const std::string& symbol) {
  int status = 0;
  char* const text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  std::string name = status == 0 && text != nullptr ? text : symbol;
  std::free(text);
  // Removes the parameters of "matrixMul(float*, int)", which may contain parentheses.
  return name.substr(0, name.find('('));
}

/// The number of threads of a block that a PTX entry declares, as in ".maxntid 16, 16, 1". 0 if it declares
/// none.
int declared_threads(const std::string& ptx, const std::string& symbol) {
  const std::size_t entry = ptx.find(".entry " + symbol + "(");
  if (entry == std::string::npos) return 0;
  const std::size_t body = ptx.find('{', entry);
  const std::size_t at = ptx.find(".maxntid", entry);
  if (at == std::string::npos || at > body) return 0;
  int threads = 1;
  const char* p = ptx.data() + at + std::string(".maxntid").size();
  const char* const end = ptx.data() + std::min(body, ptx.size());
  for (;;) {
    while (p < end && (*p == ' ' || *p == ',')) ++p;
    int size = 0;
    const auto [rest, error] = std::from_chars(p, end, size);
    if (error != std::errc() || size < 1 || size > 1024) return threads;
    threads = std::min(threads * size, 1 << 20);
    p = rest;
  }
}

}  // namespace

std::vector<KernelResources> parse_resources(const std::string& words, const std::string& ptx) {
  std::vector<KernelResources> kernels;
  bool in_kernel = false;  // ptxas reports on functions, too
  for (const std::string& line : split_lines(words)) {
    if (line.find("Compiling entry function") != std::string::npos) {
      const std::size_t begin = line.find('\'');
      const std::size_t end = begin == std::string::npos ? begin : line.find('\'', begin + 1);
      if (end == std::string::npos) continue;
      const std::string symbol = line.substr(begin + 1, end - begin - 1);
      kernels.emplace_back();
      kernels.back().kernel = demangled(symbol);
      kernels.back().threads = declared_threads(ptx, symbol);
    } else if (kernels.empty()) {
      continue;
    } else if (line.find("Function properties for") != std::string::npos) {
      in_kernel = kernels.back().kernel == demangled(line.substr(line.rfind(' ') + 1));
    } else if (line.find("stack frame") != std::string::npos && in_kernel) {
      kernels.back().local = number_before(line, " bytes stack frame");
      kernels.back().spill_stores = number_before(line, " bytes spill stores");
      kernels.back().spill_loads = number_before(line, " bytes spill loads");
    } else if (line.find("Used ") != std::string::npos) {
      kernels.back().registers = static_cast<int>(number_before(line, " registers"));
      kernels.back().shared = number_before(line, " bytes smem");
      if (line.find(" bytes cmem[0]") != std::string::npos)
        kernels.back().constant = number_before(line, " bytes cmem[0]");
    }
  }
  return kernels;
}

const Multiprocessor& multiprocessor(int capability) {
  constexpr int K = 1024;
  static constexpr Multiprocessor known[] = {
      {70, 64, 32, 64 * K, 96 * K, 0},  {75, 32, 16, 64 * K, 64 * K, 0},   {80, 64, 32, 64 * K, 164 * K, K},
      {86, 48, 16, 64 * K, 100 * K, K}, {87, 48, 16, 64 * K, 164 * K, K},  {89, 48, 24, 64 * K, 100 * K, K},
      {90, 64, 32, 64 * K, 228 * K, K}, {100, 64, 32, 64 * K, 228 * K, K}, {120, 48, 24, 64 * K, 100 * K, K},
  };
  std::string all;
  for (const Multiprocessor& sm : known) {
    if (sm.capability == capability) return sm;
    all += fmt::format("{}sm_{}", all.empty() ? "" : ", ", sm.capability);
  }
  throw Error(ErrorKind::usage,
              fmt::format("The multiprocessor of sm_{} is not known; known are {}.", capability, all),
              "--arch sm_90");
}

Occupancy occupancy(const Multiprocessor& sm, int threads, int registers, std::uint64_t shared) {
  constexpr int warp = 32, parts = 4;         // a multiprocessor has four partitions, each with its registers
  constexpr int register_unit = 256;          // registers are allocated to warps in units of 256
  constexpr std::uint64_t shared_unit = 128;  // shared memory is allocated to blocks in units of 128 bytes
  const int warps = (threads + warp - 1) / warp;
  struct Limit {
    const char* name;
    int blocks;
  };
  std::vector<Limit> limits = {{"threads", sm.warps / warps}, {"blocks", sm.blocks}};
  if (registers > 0) {
    const int per_warp = (registers * warp + register_unit - 1) / register_unit * register_unit;
    limits.push_back({"registers", sm.registers / parts / per_warp * parts / warps});
  }
  const std::uint64_t bytes = (shared + sm.shared_reserved + shared_unit - 1) / shared_unit * shared_unit;
  if (bytes > 0) limits.push_back({"shared memory", static_cast<int>(sm.shared / bytes)});
  const auto least = std::min_element(limits.begin(), limits.end(),
                                      [](const Limit& a, const Limit& b) { return a.blocks < b.blocks; });
  return {least->blocks, static_cast<double>(least->blocks * warps) / sm.warps, least->name};
}

std::vector<KernelResources> kernel_resources(const Kit& kit, const Toolchain& toolchain,
                                              const Submission& submission,
                                              const std::map<std::string, std::string>& macros,
                                              const std::string& architecture, std::string& diagnostics) {
  const CompilerReport report = compiler_report(kit, toolchain, submission, architecture, macros);
  diagnostics = report.ok ? "" : report.words;
  return report.ok ? parse_resources(report.words, report.ptx) : std::vector<KernelResources>();
}

}  // namespace grader
