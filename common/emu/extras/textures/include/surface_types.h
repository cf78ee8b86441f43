// A part of the types of arrays, textures and surfaces.
#pragma once

#include "texture_types.h"
