// host_defines.h declares the functions of this header.
#pragma once

#include "host_defines.h"
