/// @file
/// Defines all functions for a library: compile a source that includes only this header, with LAB_LIBRARY defined
/// (inline.hpp).
#pragma once
#include "args.hpp"
#include "arrays.hpp"
#include "cause.hpp"
#include "check.hpp"
#include "exit.hpp"
#include "memory.hpp"
#include "npy.hpp"
#include "timer.hpp"
