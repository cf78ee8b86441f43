// texture_types.h declares the functions of this header.
#pragma once

#include "texture_types.h"
