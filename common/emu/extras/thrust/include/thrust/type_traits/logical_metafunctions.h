// Thrust's names of the standard library's conjunctions.
#pragma once

#include <type_traits>

namespace thrust {

using ::std::conjunction;
using ::std::conjunction_v;
using ::std::disjunction;
using ::std::disjunction_v;
using ::std::negation;
using ::std::negation_v;

}  // namespace thrust
