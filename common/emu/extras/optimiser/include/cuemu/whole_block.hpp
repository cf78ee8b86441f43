// Functions that the optimiser's output calls to run a block as a whole. cuda_runtime.h includes this header
// if the kit has it.
#pragma once

#include "cuemu/block_only.hpp"
#include "cuemu/fission.hpp"
#include "cuemu/resume.hpp"
#include "cuemu/same_turns.hpp"
#include "cuemu/warp_form.hpp"
