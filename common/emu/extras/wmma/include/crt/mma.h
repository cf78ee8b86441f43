// mma.h declares the functions of this header.
#pragma once

#include "mma.h"
