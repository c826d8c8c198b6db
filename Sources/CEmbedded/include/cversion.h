#ifndef SORTIE_VERSION_H
#define SORTIE_VERSION_H

/// Returns the commit that the program was built from; empty where the build did not state it.
const char *version_commit(void);

#endif
