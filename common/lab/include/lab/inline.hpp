/// @file
/// Chooses where the non-template functions of these headers are compiled: in each source that includes the headers
/// (simple), or once in a library (quick).
///
/// A header declares functions, and the header of the same name in `impl/` defines them. By default a header includes
/// its implementation, and the functions are inline. With LAB_LIBRARY defined, it does not include its implementation,
/// and the functions are linked. The grader builds programs in this way. These functions were more than half of a
/// compiler's work on a lab's main program, and a student waited for it after each change. Both ways include the same
/// headers of the standard library, so a source compiles in both ways or in neither.
///
/// Host code only.
#pragma once

#ifdef LAB_LIBRARY
#define LAB_INLINE
#else
#define LAB_INLINE inline
#endif
