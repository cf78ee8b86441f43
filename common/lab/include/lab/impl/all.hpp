/// @file
/// The source of a library of these functions: a source that includes this alone, compiled with LAB_LIBRARY defined
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
