// Generators of cuRAND that the emulation has not: their names, so that an error says so.
#pragma once

#define CUEMU_NO_GENERATOR                                                                   \
  __attribute__((                                                                            \
      unavailable("the emulation has neither Sobol nor MTGP32 generators: use curandState, " \
                  "curandStatePhilox4_32_10_t or curandStateMRG32k3a_t")))

typedef struct curandStateSobol32 curandStateSobol32_t CUEMU_NO_GENERATOR;
typedef struct curandStateScrambledSobol32 curandStateScrambledSobol32_t CUEMU_NO_GENERATOR;
typedef struct curandStateSobol64 curandStateSobol64_t CUEMU_NO_GENERATOR;
typedef struct curandStateScrambledSobol64 curandStateScrambledSobol64_t CUEMU_NO_GENERATOR;
typedef struct curandStateMtgp32 curandStateMtgp32_t CUEMU_NO_GENERATOR;
typedef unsigned int curandDirectionVectors32_t[32] CUEMU_NO_GENERATOR;
typedef unsigned long long curandDirectionVectors64_t[64] CUEMU_NO_GENERATOR;

#undef CUEMU_NO_GENERATOR
