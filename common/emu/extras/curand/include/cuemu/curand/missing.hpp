// Names of cuRAND's generators that the emulation lacks, so that an error message can name them.
#pragma once

#define CUEMU_NO_GENERATOR                                                   \
  __attribute__((                                                            \
      unavailable("the emulation has no MTGP32 generator: use curandState, " \
                  "curandStatePhilox4_32_10_t or curandStateMRG32k3a_t")))

typedef struct curandStateMtgp32 curandStateMtgp32_t CUEMU_NO_GENERATOR;

#undef CUEMU_NO_GENERATOR
