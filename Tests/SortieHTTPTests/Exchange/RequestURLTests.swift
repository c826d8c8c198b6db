import FoundationEssentials
import SortieHTTP
import Testing

@Suite struct RequestURLTests {
    @Test func `a request is created from a text, with its parts`() throws {
        let request = try Request(
            "https://shop.test/orders?a=1", method: .put, query: [("b", "2 3")], headers: ["Accept": "a/b"], body: .form([("c", "4")]))
        #expect(request.url.description == "https://shop.test/orders?a=1&b=2%203")
        #expect(request.method == .put && request.headers["Accept"] == "a/b" && request.body == .form([("c", "4")]))
        #expect(try Request("http://shop.test").method == .get)
    }

    @Test func `a text that is not a URL is a NetworkError, so that a do statement needs one type of error`() {
        do throws(NetworkError) {
            _ = try Request("shop.test/orders")
            Issue.record("a URL without a scheme was accepted")
        } catch {
            #expect(error.code == .invalidURL && error.message.contains("it must begin with http:// or https://"))
        }
    }

    @Test func `URLs of Foundation are converted in both directions`() throws {
        let url = try #require(URL(string: "https://shop.test:8443/a%20b?c=d#e"))
        let request = try Request(url: url, method: .delete)
        #expect(request.url.description == "https://shop.test:8443/a%20b?c=d" && request.method == .delete)
        #expect(try HTTPURL(url) == request.url)
        #expect(URL(request.url)?.absoluteString == "https://shop.test:8443/a%20b?c=d")
        let relative = try #require(URL(string: "orders", relativeTo: URL(string: "http://shop.test/v1/")))
        #expect(try HTTPURL(relative).description == "http://shop.test/v1/orders")
        let file = try #require(URL(string: "file:///etc/passwd"))
        #expect(throws: HTTPURL.ParseError.self) { try HTTPURL(file) }
        #expect(throws: NetworkError.self) { try Request(url: file) }
    }
}
