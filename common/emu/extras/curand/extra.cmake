kit_emu_library(curand cuRAND)
