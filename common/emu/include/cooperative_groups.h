// Cooperative groups: groups of threads that synchronise and exchange values, from a few lanes to the whole grid.
#pragma once
#define _COOPERATIVE_GROUPS_H_

#include "cuemu/push_macros.hpp"

#include "cuemu/cluster.hpp"
#include "cuemu/groups.hpp"
#include "cuemu/tiles.hpp"

#include "cuemu/pop_macros.hpp"
