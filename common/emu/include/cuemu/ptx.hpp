// Inline PTX: emucc translates asm statements in device code to calls of these functions.
//
//   asm volatile("add.u32 %0, %1, 5;" : "=r"(x) : "r"(y));
//   do { auto&& c0 = (x); auto&& c1 = (y); uint32_t r0 = 0, r1 = input<u32>(c1);
//        add<u32>(r0, r1, Integer{5}); output(c0, r0); } while (0);
#pragma once

#include "cuemu/ptx/bulk.hpp"
#include "cuemu/ptx/half.hpp"
#include "cuemu/ptx/matrix.hpp"
#include "cuemu/ptx/video.hpp"
#include "cuemu/ptx/wgmma.hpp"
