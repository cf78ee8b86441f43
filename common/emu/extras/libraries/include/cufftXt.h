// cuFFT's callbacks: device functions that compute a transform's input, or process its output, element by element.
//
// Callbacks that are linked with the program are supported. Callbacks that are compiled when a plan is made
// (LTO), half precision and several devices are only declared (cuemu/declared/cufftXt.inc).
#pragma once
#define _CUFFTXT_H_

#include "cufft.h"

#define CUEMU_LIBRARY "cuFFT's callbacks by LTO, half precision and several devices"
#define CUEMU_NAMES "cuemu/declared/cufftXt.inc"
#include "cuemu/declared/names.h"

typedef enum cufftXtCallbackType_t {
  CUFFT_CB_LD_COMPLEX,
  CUFFT_CB_LD_COMPLEX_DOUBLE,
  CUFFT_CB_LD_REAL,
  CUFFT_CB_LD_REAL_DOUBLE,
  CUFFT_CB_ST_COMPLEX,
  CUFFT_CB_ST_COMPLEX_DOUBLE,
  CUFFT_CB_ST_REAL,
  CUFFT_CB_ST_REAL_DOUBLE,
  CUFFT_CB_UNDEFINED
} cufftXtCallbackType;

/// \name Callbacks
/// @param offset of the element, from the beginning of the transform's input or output
/// @param callerInfo the pointer passed to cufftXtSetCallback
/// @param sharedPointer memory of the size passed to cufftXtSetCallbackSharedSize
/// @{
typedef cufftComplex (*cufftCallbackLoadC)(void* dataIn, size_t offset, void* callerInfo,
                                           void* sharedPointer);
typedef cufftDoubleComplex (*cufftCallbackLoadZ)(void* dataIn, size_t offset, void* callerInfo,
                                                 void* sharedPointer);
typedef cufftReal (*cufftCallbackLoadR)(void* dataIn, size_t offset, void* callerInfo, void* sharedPointer);
typedef cufftDoubleReal (*cufftCallbackLoadD)(void* dataIn, size_t offset, void* callerInfo,
                                              void* sharedPointer);
typedef void (*cufftCallbackStoreC)(void* dataOut, size_t offset, cufftComplex element, void* callerInfo,
                                    void* sharedPointer);
typedef void (*cufftCallbackStoreZ)(void* dataOut, size_t offset, cufftDoubleComplex element,
                                    void* callerInfo, void* sharedPointer);
typedef void (*cufftCallbackStoreR)(void* dataOut, size_t offset, cufftReal element, void* callerInfo,
                                    void* sharedPointer);
typedef void (*cufftCallbackStoreD)(void* dataOut, size_t offset, cufftDoubleReal element, void* callerInfo,
                                    void* sharedPointer);
/// @}

#ifdef __cplusplus
extern "C" {
#endif
/// Sets the callback for one side of a completed plan. `callback_routine` points to the function's address on
/// the device (cudaMemcpyFromSymbol of a __device__ variable that holds it), and `caller_info` to the address
/// of its data. Returns CUFFT_INVALID_TYPE if the kind of callback does not fit the plan's type.
cufftResult cufftXtSetCallback(cufftHandle plan, void** callback_routine, cufftXtCallbackType cbType,
                               void** caller_info);
cufftResult cufftXtClearCallback(cufftHandle plan, cufftXtCallbackType cbType);
cufftResult cufftXtSetCallbackSharedSize(cufftHandle plan, cufftXtCallbackType cbType, size_t sharedSize);
#ifdef __cplusplus
}
#endif
