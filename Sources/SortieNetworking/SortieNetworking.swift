// One import gives a user of the library the types of requests and responses too.
@_exported public import SortieHTTP
