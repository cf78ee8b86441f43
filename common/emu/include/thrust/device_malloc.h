// A part of Thrust.
#pragma once

#include "cuemu/thrust/pointer.hpp"
