#include "observer.hpp"

namespace cuemu {

Observer* observer = nullptr;

}  // namespace cuemu
