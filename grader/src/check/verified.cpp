#include "check/verified.hpp"

#include <random>

#include "verify/origin.hpp"
#include "verify/patterns.hpp"

namespace grader {
namespace {

constexpr int freivalds_rounds = 3;

}  // namespace

bool ends_in_order(const RunResult& run) {
  const int code = run.process.code;
  return run.process.end == ProcessResult::End::exited && (code == 0 || code == 1 || code == 5);
}

Verification verify_result(const Lab& lab, const Case& c, const RunResult& run, const CaseData& data) {
  RunFacts facts = run_facts(run.profile);
  facts.inputs_copied = [&] { return inputs_copied(run.profile, data.inputs); };
  if (lab.output.is_printed()) return verify_lines(run.process.out, data.expected, facts);
  if (c.verify == Verify::freivalds) {
    // A random seed: a program that knew it could pass with a wrong product.
    std::random_device random;
    const std::uint64_t seed = (static_cast<std::uint64_t>(random()) << 32) | random();
    return verify_product(run.output, data.inputs, c.tolerance, seed, freivalds_rounds, facts);
  }
  const Comparison how{lab.output.layout(), c.verify == Verify::sample, facts};
  return verify_array(run.output, data.expected, c.tolerance, data.inputs, how);
}

}  // namespace grader
