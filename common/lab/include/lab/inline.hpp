/// @file
/// Where functions of these headers that are no templates are compiled: in each source that includes them, which is simple, or
/// once in a library, which is quick.
///
/// A header says what there is, and `impl/` beside it how it is done. As a rule a header includes its implementation,
/// and the functions are inline. With LAB_LIBRARY defined it does not: they are linked. The grader builds programs that
/// way, since more than half of what a compiler did for a lab's main program was these same
/// functions, and a student waited for that at each change. Either way the same headers of the standard library are
/// included, so that what compiles in one way compiles in the other.
///
/// Host code only.
#pragma once

#ifdef LAB_LIBRARY
#define LAB_INLINE
#else
#define LAB_INLINE inline
#endif
