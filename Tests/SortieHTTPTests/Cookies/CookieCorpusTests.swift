import Foundation
import Testing

@testable import SortieHTTP

/// The cases of the IETF's http-state group, with the results of RFC 6265.
struct CookieCorpusTests {
    private struct Case: Decodable {
        let test: String
        let received: [String]
        let sentTo: String
        let expected: String

        enum CodingKeys: String, CodingKey {
            case test, received
            case sentTo = "sent_to"
            case expected = "rfc6265_expected"
        }
    }

    @Test func `every case has the result of RFC 6265`() throws {
        guard let data = try Corpus.data("cookies/http-state-vs-curl.visible.json") else { return }
        let cases = try JSONDecoder().decode([Case].self, from: data)
        #expect(cases.count > 50)
        // The date of the test cases; some of their expiry dates have passed since.
        let now = Date(timeIntervalSince1970: 1_300_000_000)
        let server = "http://home.example.org:8888"
        for one in cases {
            var jar = Cookies()
            let setter = try HTTPURL(parsing: "\(server)/cookie-parser?\(one.test)")
            for field in one.received { _ = jar.take(field, from: setter, at: now) }
            let asked = try HTTPURL(parsing: one.sentTo.hasPrefix("/") ? server + one.sentTo : one.sentTo)
            let sent = jar.cookies(for: asked, at: now).map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
            #expect(sent == one.expected, "\(one.test): \(one.received)")
        }
    }
}
