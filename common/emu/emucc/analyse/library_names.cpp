#include "analyse/library_names.hpp"

#include <algorithm>
#include <array>

namespace emucc {
namespace {

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool is_built_in(std::string_view name) {
  static constexpr std::array<std::string_view, 40> names = {
      "abs",    "min",  "max",   "fabs",  "fabsf",  "sqrt", "sqrtf", "pow",   "powf",  "exp",
      "expf",   "log",  "logf",  "sin",   "sinf",   "cos",  "cosf",  "tan",   "tanf",  "floor",
      "floorf", "ceil", "ceilf", "round", "roundf", "fmin", "fminf", "fmax",  "fmaxf", "fmod",
      "fmodf",  "norm", "rsqrt", "hypot", "swap",   "rint", "clock", "clamp", "fma",   "trunc"};
  return contains(names, name) || name.rfind("__", 0) == 0 || name.rfind("make_", 0) == 0;
}
bool is_host_library(std::string_view name) {
  static constexpr std::array<std::string_view, 73> names = {
      // the C library
      "abort", "system", "perror", "atol", "strtol", "strtod", "strtof", "fgets", "fputs", "fscanf", "rand",
      "srand", "drand48", "fprintf", "sprintf", "snprintf", "puts", "putchar", "scanf", "sscanf", "fopen",
      "fclose", "fflush", "exit", "getenv", "usleep", "sleep", "gettimeofday", "atoi", "atof", "calloc",
      "realloc", "qsort", "time", "getchar",
      // functions of <cstring>; device code has only memcpy and memset of them
      "strlen", "strcmp", "strncmp", "strcpy", "strncpy", "strcat", "strncat", "strchr", "strrchr", "strstr",
      "strtok", "strdup", "memcmp", "memchr", "memmove",
      // the runtime
      "cudaMemcpy", "cudaMemset", "cudaMemcpyToSymbol", "cudaMemcpyFromSymbol", "cudaMallocManaged",
      "cudaMallocHost", "cudaFreeHost", "cudaHostAlloc", "cudaMallocAsync", "cudaFreeAsync", "cudaSetDevice",
      "cudaDeviceReset", "cudaDeviceSynchronize", "cudaStreamCreate", "cudaStreamSynchronize",
      "cudaStreamQuery", "cudaEventCreate", "cudaEventSynchronize", "cudaEventElapsedTime", "cudaEventQuery",
      "cudaGetDeviceProperties", "cudaGetSymbolAddress", "cudaMemPrefetchAsync"};
  return contains(names, name);
}
std::string host_object_used(std::string_view object, std::string_view type) {
  return "'" + std::string(object) + "' is a std::" + std::string(type) +
         ", whose functions are for host code only: pass a pointer to device memory, and the number of its "
         "elements";
}

bool is_host_type(std::string_view name) {
  static constexpr std::array<std::string_view, 34> names = {
      "cout",        "cerr",          "cin",           "endl",         "string",   "vector",
      "map",         "list",          "set",           "deque",        "thread",   "unordered_map",
      "sort",        "mutex",         "unordered_set", "queue",        "stack",    "priority_queue",
      "function",    "to_string",     "stoi",          "stof",         "stod",     "make_unique",
      "make_shared", "unique_ptr",    "shared_ptr",    "stringstream", "ofstream", "ifstream",
      "mt19937",     "random_device", "chrono",        "atomic"};
  return contains(names, name);
}
bool is_constexpr_function(std::string_view name) {
  static constexpr std::array<std::string_view, 41> names = {
      "max", "min", "clamp", "minmax", "max_element", "min_element", "make_pair", "make_tuple", "distance",
      "gcd", "lcm", "as_const",
      // functions that are constexpr since C++20
      "copy", "fill", "reverse", "find", "find_if", "count", "count_if", "accumulate", "reduce", "iota",
      "transform", "for_each", "lower_bound", "upper_bound", "binary_search", "exchange", "swap",
      "inner_product", "partial_sum", "equal", "unique", "rotate", "partition", "all_of", "any_of", "none_of",
      "generate", "nth_element", "remove_if"};
  return contains(names, name);
}

bool is_device_function(std::string_view name) {
  static constexpr std::array<std::string_view, 17> names = {"__syncthreads",
                                                             "__syncwarp",
                                                             "__threadfence",
                                                             "__threadfence_block",
                                                             "__shfl_sync",
                                                             "__shfl_up_sync",
                                                             "__shfl_down_sync",
                                                             "__shfl_xor_sync",
                                                             "__ballot_sync",
                                                             "atomicAdd",
                                                             "atomicSub",
                                                             "atomicMax",
                                                             "atomicMin",
                                                             "atomicCAS",
                                                             "atomicExch",
                                                             "__ldg",
                                                             "cudaGraphSetConditional"};
  return contains(names, name);
}

}  // namespace emucc
