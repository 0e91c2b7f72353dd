/* Of which sources the library was made: another one than the package's is not used. */

#include <stdint.h>

#ifndef SOURCE_CHECKSUM
#define SOURCE_CHECKSUM 0u
#endif

uint32_t nephila_source(void)
{
    return SOURCE_CHECKSUM;
}
