// The API of the core networking module is re-exported, so that one import is enough.
@_exported public import SortieNetworking
