// mriQ.h: scans and results on the host, and the CPU's check.
#ifndef MRIQ_H
#define MRIQ_H

#include "mri.hpp"

// The CPU's check (computeQ_gold.cpp): whether `q` is the Q of the scan's first numK samples.
//   reference   a file with the right values; empty: they are computed here, for some of the voxels
bool checkQ(const lab::Q& q, const lab::Scan& scan, int numK, const std::string& reference);

#endif
