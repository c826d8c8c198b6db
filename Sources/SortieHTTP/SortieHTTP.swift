// A file that imports SortieHTTP needs the basic types in its signatures too: JSON values, bytes of bodies.
@_exported public import SortieBase
