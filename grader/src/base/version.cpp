// The only file that depends on the version number.
#include "base/version.hpp"

namespace grader {

const char* kit_version() {
  return GRADER_VERSION;
}

}  // namespace grader
