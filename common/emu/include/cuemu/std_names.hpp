// cuda::std is the standard library for host and device code: here the host's own.
#pragma once

// The including header declares the names.
namespace std {}

namespace cuda::std {
using namespace ::std;
}  // namespace cuda::std
