// The operators that cooperative_groups::reduce and the scans take.
#pragma once

namespace cooperative_groups {

template <typename Value>
struct plus {
  constexpr Value operator()(const Value& a, const Value& b) const { return a + b; }
};
template <typename Value>
struct less {  ///< the smaller of two
  constexpr Value operator()(const Value& a, const Value& b) const { return b < a ? b : a; }
};
template <typename Value>
struct greater {  ///< the greater of two
  constexpr Value operator()(const Value& a, const Value& b) const { return a < b ? b : a; }
};
template <typename Value>
struct bit_and {
  constexpr Value operator()(const Value& a, const Value& b) const { return a & b; }
};
template <typename Value>
struct bit_or {
  constexpr Value operator()(const Value& a, const Value& b) const { return a | b; }
};
template <typename Value>
struct bit_xor {
  constexpr Value operator()(const Value& a, const Value& b) const { return a ^ b; }
};

}  // namespace cooperative_groups
