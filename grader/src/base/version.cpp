// The only file that is compiled with the number.
#include "base/version.hpp"

namespace grader {

const char* kit_version() {
  return GRADER_VERSION;
}

}  // namespace grader
