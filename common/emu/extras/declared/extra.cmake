set(extra_needs libraries)  # cuSOLVER's header includes cuBLAS's
kit_emu_library(cusparse cuSPARSE)
kit_emu_library(cusolver cuSOLVER)
kit_emu_library(nvrtc NVRTC)
