// cuda::std is the standard library for host and device code. Here it is the host's standard library.
#pragma once

// The including header declares the names.
namespace std {}

namespace cuda::std {
using namespace ::std;
}  // namespace cuda::std
