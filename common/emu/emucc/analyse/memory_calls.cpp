#include "analyse/memory_calls.hpp"

#include <unordered_set>

#include "parse/syntax_tree.hpp"

namespace emucc {

bool is_load_function(std::string_view name) {
  static const std::unordered_set<std::string_view> cached = {"__ldg", "__ldca", "__ldcs", "__ldlu"};
  return cached.count(name) > 0 || is_fresh_load(name);
}

bool is_fresh_load(std::string_view name) {
  return name == "__ldcg" || name == "__ldcv";
}

bool is_store_function(std::string_view name) {
  static const std::unordered_set<std::string_view> stores = {"__stwb", "__stcg", "__stcs", "__stwt"};
  return stores.count(name) > 0;
}

bool is_block_copy(std::string_view name) {
  static const std::unordered_set<std::string_view> copies = {"memcpy", "memmove", "memset",
                                                              "__builtin_memcpy", "__builtin_memset"};
  return copies.count(name) > 0;
}

bool is_generator_function(std::string_view name) {
  static const std::unordered_set<std::string_view> generators = {"curand",
                                                                  "curand4",
                                                                  "curand_init",
                                                                  "curand_uniform",
                                                                  "curand_uniform4",
                                                                  "curand_normal",
                                                                  "curand_normal2",
                                                                  "curand_normal4",
                                                                  "curand_uniform_double",
                                                                  "curand_uniform2_double",
                                                                  "curand_poisson",
                                                                  "curand_poisson4",
                                                                  "curand_log_normal",
                                                                  "curand_normal_double",
                                                                  "curand_normal2_double",
                                                                  "skipahead",
                                                                  "skipahead_sequence",
                                                                  "curand_log_normal_double"};
  return generators.count(name) > 0;
}

bool is_memory_function(std::string_view name) {
  return is_load_function(name) || is_store_function(name) || is_block_copy(name) ||
         is_generator_function(name);
}

bool is_memory_call(const Syntax& syntax, std::size_t callee) {
  return is_memory_function(syntax.at(callee)) && !may_be_own(syntax, callee);
}

}  // namespace emucc
