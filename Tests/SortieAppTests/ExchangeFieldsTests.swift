import Foundation
import SortieHTTP
import Testing

@testable import SortieApp

/// Tests the fields of an exchange for `--format`.
struct ExchangeFieldsTests {
    @Test(arguments: ["reason", "type", "url", "method"]) func `a secret that a field has is masked`(name: String) throws {
        let request = Request(method: try #require(HTTPMethod("S3CRET-1")), url: try HTTPURL(parsing: "http://h/S3CRET-1"))
        var exchange = Exchange(id: RequestID(high: 0, low: 1), request: request, startedAt: Date(timeIntervalSince1970: 0))
        exchange.response = Response(status: 401, reason: "bad S3CRET-1", headers: ["Content-Type": "text/S3CRET-1"])
        #expect(exchange.field(name, .none)?.contains("S3CRET-1") == true)
        let masked = try #require(exchange.field(name, Redaction(values: ["S3CRET-1"])))
        #expect(masked.contains("••••") && !masked.contains("S3CRET-1"))
    }
}
