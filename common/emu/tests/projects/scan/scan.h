#ifndef SCAN_H
#define SCAN_H
void exclusive_scan(const int *d_in, int *d_out, int n);
#endif
