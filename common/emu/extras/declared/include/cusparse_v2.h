// cuSPARSE, declared only: see cuemu/declared/names.h.
#pragma once

#include "cusparse.h"
