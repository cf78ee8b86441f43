/// @file
/// The first header of what emucc precompiles for CUDA sources: <cmath> without C++17's special functions (std::beta,
/// std::riemann_zeta …). Their 150 templates would be instantiated again in each source, which took a fifth of its compilation;
/// a source that calls one of them is compiled without precompiled headers.
#pragma once
#include <cstddef>

#ifdef _GLIBCXX_USE_STD_SPEC_FUNCS
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#define _GLIBCXX_USE_STD_SPEC_FUNCS 0
#endif
