// The checker's most frequent events. The code of fast_path.hpp is compiled here, once for each kind of
// access.
#include "fast_path.hpp"

namespace cuemu::check {

void Checker::listen() {
  cuemu::listen(*this, checker_slot, hot_events<Checker>());
}

}  // namespace cuemu::check
