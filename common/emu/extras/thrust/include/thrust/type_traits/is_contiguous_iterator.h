// Whether an iterator's elements are contiguous, so that a pointer can replace the iterator.
#pragma once

#include "thrust/device_ptr.h"
#include "thrust/device_vector.h"
#include "thrust/host_vector.h"

namespace thrust {

template <class Iterator>
struct is_contiguous_iterator : ::std::is_pointer<Iterator> {};
template <class T>
struct is_contiguous_iterator<device_ptr<T>> : ::std::true_type {};

template <class Iterator>
inline constexpr bool is_contiguous_iterator_v = is_contiguous_iterator<Iterator>::value;

}  // namespace thrust
