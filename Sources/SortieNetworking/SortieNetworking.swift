// One import gives a user of the library the types of requests and responses too.
@_exported public import SortieHTTP

/// A `Request` under a name that is unambiguous beside other packages.
public typealias ClientRequest = Request

/// A `Response` under a name that is unambiguous beside other packages.
public typealias ClientResponse = Response

/// A `Cookie` under a name that is unambiguous beside other packages.
public typealias ClientCookie = Cookie
