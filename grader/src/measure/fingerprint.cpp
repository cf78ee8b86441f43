// Decides whether values that were measured earlier may be used for a table that is measured now.
#include <nlohmann/json.hpp>

#include "base/sha256.hpp"
#include "measure/peers.hpp"
#include "model/json.hpp"

namespace grader {
namespace {

/// "580.159" for "580.159.04", since patches of a driver don't affect these measurements.
std::string driver_branch(const std::string& driver) {
  const std::size_t first = driver.find('.');
  return driver.substr(0, first == std::string::npos ? first : driver.find('.', first + 1));
}

}  // namespace

std::string fingerprint(const MeasureSetup& setup, const TableSpec& shown,
                        const std::vector<Contestant>& others) {
  const Toolchain& tools = setup.toolchain;
  const bool gpu = setup.backend == Backend::gpu;
  Table spec_alone;
  spec_alone.lab = setup.submission.lab->id;
  spec_alone.spec = shown;
  spec_alone.backend = setup.backend;
  spec_alone.device = tools.device(setup.backend);
  Sha256 hash;
  hash.update(json_text(to_json(spec_alone))).update(setup.submission.sha256);
  hash.update(gpu ? tools.nvcc_version : tools.emucc_version);
  hash.update(gpu && !tools.gpus.empty() ? driver_branch(tools.gpus.front().driver) : "");
  for (const Contestant& one : others) {
    hash.update("|" + one.peer->name);
    if (one.submission) hash.update(one.submission->sha256);
  }
  return hash.hex_digest();
}

}  // namespace grader
