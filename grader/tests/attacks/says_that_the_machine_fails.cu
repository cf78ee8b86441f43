// Stops its compilation with messages that tools print on a broken machine.
// happens: does not compile: only emucc's exit status and the state of the machine count, not words
// verdict: compile_error
// says: No space left on device
#error \
    "nvcc fatal: gpu-architecture; g++: fatal error: Killed signal terminated program cc1plus; internal compiler error; cannot execute 'as': No space left on device"
