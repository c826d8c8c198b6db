import Foundation
import Support
import Testing

@testable import SortieNetworking

/// Tests malformed responses from an external collection: no crash, no hang, and libcurl's known result, except for headers in which the connection ends.
@Suite(.fewAtOnce)
struct HostileAnswerTests {
    struct Case: Decodable, Sendable, CustomStringConvertible {
        struct Meta: Decodable { let type: String }
        struct Curl: Decodable {
            let exit: Int
            let httpCode: String
            let size: String

            enum CodingKeys: String, CodingKey { case exit, size, httpCode = "http_code" }
        }

        let title: String
        let meta: Meta
        let bytes: Data
        let curl: Curl?

        enum CodingKeys: String, CodingKey { case title, meta, bytes = "bytes_b64", curl = "curl_7_88_1" }

        var description: String { title }
        /// Whether the empty line after the header is missing, which curl ignores and RFC 9112 §8 does not allow.
        var isCutInHeader: Bool { bytes.firstRange(of: Data("\r\n\r\n".utf8)) == nil && bytes.firstRange(of: Data("\n\n".utf8)) == nil }
    }

    static let cases: [Case] = {
        guard let file = Corpora.url("http-hostile/llhttp-cases.visible.jsonl"), let data = try? Data(contentsOf: file) else {
            return []
        }
        return data.split(separator: 10).compactMap { try? JSONDecoder().decode(Case.self, from: Data($0)) }
    }()

    @Test(
        .enabled(if: !cases.isEmpty, "the folder shared/corpora is not there"),
        arguments: cases.filter { $0.meta.type.hasPrefix("response") })
    func `a malformed response ends the call with the result of curl`(_ hostile: Case) async throws {
        // libcurl 8 refuses several spaces after the version.
        guard Libcurl.isVersion7 || hostile.title != "Extra space between HTTP version and status code" else { return }
        let server = try ScriptedServer(Script(.readRequest, .send(Array(hostile.bytes))))
        let exchange = try await Caller().get(server.url) { $0.timeouts.idle = .seconds(60) }
        guard !hostile.isCutInHeader else { return #expect([.emptyResponse, .badResponse].contains(exchange.error?.code)) }
        let curl = try #require(hostile.curl)
        #expect((exchange.error == nil) == (curl.exit == 0), "curl ended with \(curl.exit), we with \(exchange.error as Any)")
        if curl.exit == 0 {
            #expect(exchange.response.map { "\($0.status)" } == curl.httpCode)
            #expect(exchange.response.map { "\($0.body.count)" } == curl.size)
        }
    }

    @Test(
        .enabled(if: !cases.isEmpty, "the folder shared/corpora is not there"),
        arguments: cases.filter { !$0.meta.type.hasPrefix("response") })
    func `a request in place of a response is not a response`(_ hostile: Case) async throws {
        let server = try ScriptedServer(Script(.readRequest, .send(Array(hostile.bytes))))
        let exchange = try await Caller().get(server.url) { $0.timeouts.idle = .seconds(60) }
        #expect(exchange.error?.code == .badResponse, "\(String(describing: exchange.error))")
        #expect(exchange.response == nil)
    }
}
