// cuda::std is the standard library for host and device code: here the host's own.
#pragma once

// The names come with the header that includes this one.
namespace std {}

namespace cuda::std {
using namespace ::std;
}  // namespace cuda::std
