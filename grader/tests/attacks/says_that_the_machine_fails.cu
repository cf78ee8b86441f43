// Stops its compilation with the messages of tools on a broken machine.
// happens: does not compile: emucc's exit status and the machine itself decide, no words
// verdict: compile_error
// says: No space left on device
#error \
    "nvcc fatal: gpu-architecture; g++: fatal error: Killed signal terminated program cc1plus; internal compiler error; cannot execute 'as': No space left on device"
