import Foundation
import GRDB
import HistoryModel
import SortieHTTP
import SortieStorage
import Support
import Testing
import WorkspaceModel

/// Tests that no file of the history contains a secret.
@Suite struct HistoryMaskingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The files below the state folder that contain one of these texts.
    private func files(with texts: [String]) throws -> [String] {
        let names = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
        return try names.filter { name in
            var isFolder: ObjCBool = false
            let path = "\(folder.path)/\(name)"
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else { return false }
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            return texts.contains { data.range(of: Data($0.utf8)) != nil }
        }
    }

    @Test func `no file contains a used secret`() throws {
        let value = "hunter2-s3cret"
        let named = "only-known-by-its-name"
        let redaction = Redaction(values: [value])
        let large = String(repeating: "line of a large text \(value)\n", count: 60_000)
        let store = HistoryStore.open(stateFolder: folder.path)
        let bodies: [(String, String)] = [
            (#"{"token": "\#(named)", "say": "\#(value)"}"#, "application/json"), (large, "text/plain"),
            (#"{"filler": "\#(String(repeating: "x", count: 2 << 20))", "password": "\#(named)"}"#, "application/json"),
        ]
        for (body, type) in bodies {
            let form = "password=\(named)&a=\(value)"
            store.keep(
                [
                    try finishedCall(
                        "http://someuser:\(named)@127.0.0.1:8080/\(value)?token=\(named)", method: .post,
                        requestBody: .text(form, contentType: "application/x-www-form-urlencoded"), body: Array(body.utf8), contentType: type,
                        error: NetworkError(.badBody, "no \(value)")
                    ) { exchange in
                        exchange.attempts[0].sentHeaders = [HeaderField("Authorization", "Bearer \(named)"), HeaderField("X-A", value)]
                        exchange.response?.headers.append("Set-Cookie", "sid=\(named)")
                        exchange.attempts[0].sentCookies = [Cookie(name: "sid", value: named, domain: "a")]
                        exchange.value = ["token": .string(named), "a": .string(value)]
                        var endpoint = Endpoint(target: "shop/login", name: "Login", path: "/\(value)")
                        endpoint.auth = .bearer(token: named)
                        exchange.request.origin = RequestOrigin(endpoint: endpoint, variables: ["token": named, "x": value])
                    }
                ], redaction: redaction)
        }
        #expect(try store.count(HistoryFilter(), upTo: 10) == 3)
        #expect(try files(with: [value, named, "someuser:"]) == [])
        for word in ["hunter2", "known"] {
            #expect(try store.count(HistoryFilter([.init(.words(word, .anywhere))]), upTo: 10) == 0, "\(word)")
        }
        // Verifies that the search works: text that is not secret is found.
        #expect(try !files(with: ["line of a large text ••••"]).isEmpty)
        let past = try #require(try store.past(1))
        #expect(past.item.url == "http://127.0.0.1:8080/••••?token=••••" && past.exchange.response?.body.text == #"{"token": "••••", "say": "••••"}"#)
        #expect(past.exchange.request.body == .text("password=••••&a=••••", contentType: "application/x-www-form-urlencoded"))
    }

    @Test func `a secret at the end of the searched text, and in names of files, is masked`() throws {
        let value = "hunter2-s3cret"
        let store = HistoryStore.open(stateFolder: folder.path)
        let redaction = Redaction(values: [value])
        for shift in 1..<value.utf8.count {
            let start = String(repeating: "x ", count: (32 << 10) / 2 - 10) + String(repeating: "-", count: 20 - shift)
            let body = start + value + String(repeating: " y", count: 100_000)
            store.keep([try finishedCall(body: Array(body.utf8), contentType: "text/plain")], redaction: redaction)
        }
        let part = RequestBody.Part(name: "a-\(value)", content: .bytes([65]), fileName: "\(value).txt", contentType: nil)
        var call = try finishedCall(method: .post, requestBody: .multipart([part]), body: [], kind: .download)
        call.file = "/tmp/\(value).json"
        call.fileBytes = 12
        store.keep([call], redaction: redaction)
        #expect(try files(with: [value, "hunter"]) == [])
        #expect(try store.newest()?.missingBody == "it was saved to the file /tmp/••••.json")
    }

    @Test func `checks of hooks are stored in their format, with secrets masked also where the text is cut`() throws {
        let value = "hunter2-s3cret"
        let store = HistoryStore.open(stateFolder: folder.path)
        var long = ExchangeCheck(.hook, .failed, subject: "the key \(value)", expected: value, actual: "")
        long.actual = String(repeating: "x", count: 195) + value
        let named = ExchangeCheck(.hook, .passed, subject: "password", expected: "only-known-by-its-name", actual: "only-known-by-its-name")
        store.keep([try finishedCall { $0.reportedChecks = [named, long] }], redaction: Redaction(values: [value]))
        #expect(try files(with: ["hunter", "only-known"]) == [])
        let queue = try otherProgram(folder.path("sortie/history.sqlite"))
        let column = try queue.read { db in try String.fetchOne(db, sql: "SELECT checks FROM detail") }
        try queue.close()
        let parsed = try JSONDecoder().decode([[String: String]].self, from: Data((column ?? "").utf8))
        let cut = String(repeating: "x", count: 195) + "••••"
        #expect(
            parsed == [
                ["key": "hook", "outcome": "passed", "subject": "password", "expected": "••••", "actual": "••••"],
                ["key": "hook", "outcome": "failed", "subject": "the key ••••", "expected": "••••", "actual": cut],
            ])
        let checks = try store.newest()?.exchange.reportedChecks
        #expect(checks?.map(\.subject) == ["password", "the key ••••"] && checks?.map(\.outcome) == [.passed, .failed])
    }

    // MARK: Masked parts

    /// Stores an exchange with a secret and the text of a mask, each in a header field and in a parameter, and returns it.
    private func stored(changing sql: String? = nil) throws -> PastExchange {
        let store = HistoryStore.open(stateFolder: folder.path)
        store.keep([
            try finishedCall("http://127.0.0.1:8080/a?note=\(HeaderField.mask)&token=hunter2-s3cret", method: .post) { exchange in
                exchange.request.headers = [HeaderField("X-Note", HeaderField.mask), HeaderField("Authorization", "Bearer hunter2-s3cret")]
                var endpoint = Endpoint(target: "shop/login", name: HeaderField.mask, path: "/a")
                endpoint.headers = [Parameter("X-Note", HeaderField.mask)]
                endpoint.auth = .bearer(token: "hunter2-s3cret")
                endpoint.variables = ["note": HeaderField.mask, "db.password": "x", "password": "hunter2-s3cret"]
                endpoint.body = .multipart([.init(name: "note", value: HeaderField.mask), .init(name: "password", value: "hunter2-s3cret")])
                exchange.request.body = .multipart([
                    .init(name: "note", content: .bytes(Array(HeaderField.mask.utf8))),
                    .init(name: "password", content: .bytes(Array("hunter2-s3cret".utf8))),
                ])
                exchange.request.origin = RequestOrigin(endpoint: endpoint)
            }
        ])
        if let sql {
            let queue = try otherProgram(folder.path("sortie/history.sqlite"))
            try queue.write { db in try db.execute(sql: sql) }
            try queue.close()
        }
        return try #require(try store.newest())
    }

    /// The parts of ``stored(changing:)`` that contain a secret.
    private static let secrets = MaskedParts(
        request: [.query(1), .header(1), .bodyPart(1)], endpoint: [.auth, .variable("db.password"), .variable("password"), .bodyPart(1)])
    /// The parts of ``stored(changing:)`` that contain the text of a mask.
    ///
    /// The URL of a request contains the text of the user percent-encoded, but a mask unchanged; `query 0` is therefore the text of the user.
    private static let texts = MaskedParts(
        request: secrets.request.union([.header(0), .bodyPart(0)]),
        endpoint: secrets.endpoint.union([.name, .header(0), .variable("note"), .bodyPart(0)]))

    @Test func `the masked parts are stored, and the same text of the user is none`() throws {
        let past = try stored()
        #expect(past.masks == Self.secrets)
        #expect(past.exchange.request.headers.fields.map(\.value) == [HeaderField.mask, HeaderField.mask])
        #expect(past.unreadable == [])
    }

    @Test(arguments: [
        "UPDATE detail SET request = replace(request, 'query 1', 'query one')",
        "UPDATE detail SET origin = replace(origin, '\"auth\"', '\"unknown\"')",
    ])
    func `in a row without a readable list, every part with the text of a mask is masked`(sql: String) throws {
        let masks = try stored(changing: sql).masks
        #expect(masks == Self.texts, "\(masks)")
    }
}
