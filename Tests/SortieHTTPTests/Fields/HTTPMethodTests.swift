import SortieHTTP
import Testing

@Suite struct HTTPMethodTests {
    @Test(arguments: ["GET", "get", "M-SEARCH", "!#$%&'*+-.^_`|~09aZ"])
    func `any token is a method and keeps its case (RFC 9110 §9.1)`(text: String) {
        #expect(HTTPMethod(text)?.rawValue == text)
    }

    @Test(arguments: ["", "GET ", "GET /", "GET\r\nX: y", "G(T", "GÉT", "G\tT", "\u{0}", "GET/"])
    func `an invalid token is not a method`(text: String) {
        #expect(HTTPMethod(text) == nil)
    }

    @Test func `methods are compared with case`() {
        #expect(HTTPMethod("get") != .get)
        #expect(HTTPMethod("GET") == .get)
    }

    @Test func `methods that only read are safe and idempotent (RFC 9110 §9.2)`() {
        #expect(HTTPMethod.common.filter(\.isSafe) == [.get, .head, .options])
        #expect(HTTPMethod.common.filter(\.isIdempotent) == [.get, .put, .delete, .head, .options])
        #expect(HTTPMethod("TRACE")?.isSafe == true)
        #expect(HTTPMethod("PURGE")?.isIdempotent == false)
    }
}
