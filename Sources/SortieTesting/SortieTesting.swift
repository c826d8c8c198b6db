// One import gives a test the client and the types of requests and responses too.
@_exported public import SortieNetworking
