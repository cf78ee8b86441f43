// cuSOLVER, declared only: see cuemu/declared/names.h.
#pragma once

#include "cusolverDn.h"
