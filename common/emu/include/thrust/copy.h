// A part of Thrust.
#pragma once

#include "cuemu/thrust/algorithms.hpp"
#include "cuemu/thrust/selection.hpp"
