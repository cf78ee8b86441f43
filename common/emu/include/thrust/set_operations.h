// A part of Thrust.
#pragma once

#include "cuemu/thrust/selection.hpp"
