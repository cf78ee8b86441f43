#include "lower/kernel_pass.hpp"

namespace emucc {

// The build writes passes.inc with a line KIT_PASS(NAME) for each pass.
#define KIT_PASS(name) std::unique_ptr<KernelPass> make_##name(KernelWriter& writer);
#include "passes.inc"
#undef KIT_PASS

const std::vector<MakePass>& passes() {
  static const std::vector<MakePass> all = {
#define KIT_PASS(name) &make_##name,
#include "passes.inc"
#undef KIT_PASS
  };
  return all;
}

}  // namespace emucc
