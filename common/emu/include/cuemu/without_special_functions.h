/// @file
/// The first header that emucc precompiles for CUDA sources: <cmath> without C++17's special functions
/// (std::beta, std::riemann_zeta …). Each source would instantiate their 150 templates again, which took a fifth of its
/// compilation time. A source that calls such a function is compiled without precompiled headers.
#pragma once
#include <cstddef>

#ifdef _GLIBCXX_USE_STD_SPEC_FUNCS
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#define _GLIBCXX_USE_STD_SPEC_FUNCS 0
#endif
