#pragma once
// expat.h shows its limits on entity expansion only where XML_DTD is defined; Debian's library is built with it.
#define XML_DTD 1
#include <expat.h>
