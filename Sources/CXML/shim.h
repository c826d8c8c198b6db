// The XML parser expat for Swift.
#ifndef CXML_SHIM_H
#define CXML_SHIM_H

#include <expat.h>

#endif
