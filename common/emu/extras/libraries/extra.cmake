set(extra_needs fp8)  # products of 8-bit numbers
kit_emu_library(cublas cuBLAS libopenblas.so.0 libopenblas0)
kit_emu_library(cublasLt cuBLASLt libopenblas.so.0 libopenblas0)
kit_emu_library(cufft cuFFT libfftw3f.so.3 libfftw3-single3)
kit_emu_library(cufft cuFFT libfftw3.so.3 libfftw3-double3)  # it computes with two
