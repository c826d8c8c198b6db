import Foundation
import GRDB
import HistoryModel
import SortieHTTP
import SortieStorage
import Support
import Testing
import WorkspaceModel

/// Tests filters and pages with any input.
@Suite struct HistoryQueryTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore

    init() throws {
        folder = try TemporaryFolder()
        store = HistoryStore.open(stateFolder: folder.path)
    }

    private func fill() throws {
        store.keep([
            try finishedCall("http://127.0.0.1:8080/a", status: 200, service: "shop", target: "shop/list", at: 1000),
            try finishedCall("http://127.0.0.1:8080/b", method: .post, status: 503, service: "Shopping", target: "Shopping/100%", at: 2000),
            try finishedCall(
                "http://127.0.0.1:8080/c", status: nil, service: nil, target: nil, environment: nil, error: NetworkError(.offline, "off"), at: 3000),
            try finishedCall(
                "http://127.0.0.1:8080/d", method: .delete, status: 404, service: "bank", target: "bank/list", environment: "live", kind: .upload,
                at: 4000
            ) {
                $0.request.origin = RequestOrigin(endpoint: Endpoint(target: "x/y", name: "", path: "/"), run: "nightly")
            },
        ])
        try store.setPinned([2], true)
        try store.setTags(4, ["slow", "odd%"])
    }

    @Test func `every field matches its rows`() throws {
        try fill()
        #expect(try store.paths() == ["/d", "/c", "/b", "/a"])
        #expect(try store.paths(.init(.status(400...599))) == ["/d", "/b"])
        #expect(try store.paths(.init(.status(0...0))) == ["/c"])
        #expect(try store.paths(.init(.service("shop"))) == ["/b", "/a"], "the beginning, in any case")
        #expect(try store.paths(.init(.target("LIST"))) == ["/d", "/a"])
        #expect(try store.paths(.init(.target("100%"))) == ["/b"] && store.paths(.init(.target("1%0"))) == [])
        #expect(try store.paths(.init(.environment("live"))) == ["/d"])
        #expect(try store.paths(.init(.method("post"))) == ["/b"])
        #expect(try store.paths(.init(.tag("od"))) == ["/d"] && store.paths(.init(.tag("low"))) == [])
        #expect(try store.paths(.init(.run("nightly"))) == ["/d"])
        #expect(try store.paths(.init(.outcome(.failed))) == ["/c"])
        #expect(try store.paths(.init(.kind(.upload))) == ["/d"])
        #expect(try store.paths(.init(.pinned)) == ["/b"])
        #expect(try store.paths(.init(.since(Date(timeIntervalSince1970: 2000))), .init(.until(Date(timeIntervalSince1970: 4000)))) == ["/c", "/b"])
        #expect(try store.paths(.init(.workspace("/work/demo"))).count == 4 && store.paths(.init(.workspace("/work"))) == [])
    }

    @Test func `words of a row are found in what it displays, and in the index`() throws {
        try fill()
        func found(_ text: String) throws -> [String] { try store.paths(.init(.words(text, .row))) }
        #expect(try found("ank/li") == ["/d"] && found("LIST") == ["/d", "/a"] && found("post") == ["/b"] && found("404") == ["/d"])
        #expect(try found("live") == ["/d"] && found("ightl") == ["/d"] && found("odd%") == ["/d"] && found("100%") == ["/b"])
        #expect(try found("list 200") == ["/a"] && found("8080") == ["/d", "/c", "/b", "/a"] && found("\"b\" 503") == ["/b"])
        #expect(try store.paths(.init(.words("list", .row), isNegated: true)) == ["/c", "/b"])
        #expect(try store.count(HistoryFilter([.init(.words("list", .row)), .init(.workspace("/work/demo"))]), upTo: 10) == 2)
    }

    @Test func `words that the index splits in another way match nothing, and a missing index is an error`() throws {
        try fill()
        let overlined = HistoryFilter([.init(.words("a\u{305}b", .anywhere))])
        #expect(try store.count(overlined, upTo: 10) == 0)
        #expect(try store.page(HistoryQuery(overlined)).items == [])
        #expect(try store.count(HistoryFilter([.init(.words("a\u{305}b", .anywhere), isNegated: true)]), upTo: 10) == 0)
        let queue = try otherProgram(folder.path("sortie/history.sqlite"))
        try queue.write { db in try db.execute(sql: "DROP TABLE search") }
        try queue.close()
        #expect(throws: WorkspaceError.self) { try store.count(overlined, upTo: 10) }
    }

    @Test func `terms of one field are alternatives, those of different fields must all match, and negated ones must not`() throws {
        try fill()
        #expect(try store.paths(.init(.status(200...200)), .init(.status(503...503))) == ["/b", "/a"])
        #expect(try store.paths(.init(.status(200...599)), .init(.service("bank"))) == ["/d"])
        #expect(try store.paths(.init(.service("shop"), isNegated: true)) == ["/d", "/c"], "one without a service is none of the shop's")
        #expect(try store.paths(.init(.service("shop")), .init(.pinned, isNegated: true)) == ["/a"])
        #expect(try store.paths(.init(.method("GET"), isNegated: true), .init(.method("POST"), isNegated: true)) == ["/d"])
    }

    @Test func `words of bodies are found in the received charset`() throws {
        // "Привет мир" in KOI8-R, "中文 text" in GB18030.
        let cyrillic: [UInt8] = [0xF0, 0xD2, 0xC9, 0xD7, 0xC5, 0xD4, 0x20, 0xCD, 0xC9, 0xD2]
        let chinese: [UInt8] = [0xD6, 0xD0, 0xCE, 0xC4, 0x20, 0x74, 0x65, 0x78, 0x74]
        store.keep([
            try finishedCall("http://127.0.0.1:8080/1", body: cyrillic, contentType: "text/plain; charset=koi8-r"),
            try finishedCall("http://127.0.0.1:8080/2", body: chinese, contentType: "text/plain; charset=gb18030"),
        ])
        #expect(try store.paths(.init(.words("привет", .body))) == ["/1"])
        #expect(try store.paths(.init(.words("中文", .body))) == ["/2"])
    }

    @Test func `words match the beginnings of words in URLs, header fields and bodies`() throws {
        store.keep([
            try finishedCall("http://127.0.0.1:8080/customers/7", body: Array("{\"name\": \"Ärger im Büro\"}".utf8)),
            try finishedCall("http://127.0.0.1:8080/2", method: .post, requestBody: .text("customers wait", contentType: "text/plain")) {
                $0.attempts[0].sentHeaders = [HeaderField("X-Trace", "zebra-12")]
            },
            try finishedCall("http://127.0.0.1:8080/3", body: [0, 1, 2] + Array("customers".utf8), contentType: "image/png"),
        ])
        #expect(try store.paths(.init(.words("cust", .anywhere))) == ["/2", "/customers/7"], "bytes that are no text are not searched")
        #expect(try store.paths(.init(.words("cust", .url))) == ["/customers/7"] && store.paths(.init(.words("cust", .body))) == ["/2"])
        #expect(try store.paths(.init(.words("zeb", .header))) == ["/2"] && store.paths(.init(.words("ebra", .anywhere))) == [])
        #expect(try store.paths(.init(.words("buro ärg", .anywhere))) == ["/customers/7"], "accents make no difference, nor does order")
        #expect(try store.paths(.init(.words("cust zebra", .anywhere))) == ["/2"])
        #expect(try store.paths(.init(.words("customers/7", .url))) == ["/customers/7"])
        #expect(try store.paths(.init(.words("cust", .anywhere), isNegated: true)) == ["/3"])
        #expect(try store.paths(.init(.words("cust", .anywhere)), .init(.words("zebra", .anywhere))) == ["/2", "/customers/7"])
        #expect(try store.paths(.init(.words("cust", .anywhere)), .init(.method("POST"))) == ["/2"])
        try store.delete([1])
        #expect(try store.paths(.init(.words("cust", .anywhere))) == ["/2"])
    }

    @Test func `words match the beginnings of words in the name of the endpoint`() throws {
        store.keep([
            try finishedCall("http://127.0.0.1:8080/1", target: "shop/golden/list"), try finishedCall("http://127.0.0.1:8080/2", target: nil),
        ])
        #expect(try store.paths(.init(.words("gold", .anywhere))) == ["/1"])
        #expect(try store.paths(.init(.words("shop/golden", .anywhere))) == ["/1"])
    }

    @Test(arguments: [
        "\"", "a\"b", "*", "a*", "NOT", "a OR", "(", "url:", "{url} : x", "^a", "-a", "+", "NEAR(a b", "\0", "a\0b", "'", "😀", "%", "a\nb", "",
        "a\u{1E900}b", "क्षि", "e\u{301}t\u{0489}x", "x²", "a\u{200D}b", "\u{E000}", "ａ１", "ﷺ",
        String(repeating: "a ", count: 500), String(repeating: "b", count: 100_000),
    ]) func `no user input breaks the search`(text: String) throws {
        store.keep([try finishedCall()])
        for place in HistoryFilter.Place.allCases {
            _ = try store.paths(.init(.words(text, place)))
            _ = try store.paths(.init(.words(text, place), isNegated: true))
        }
        _ = try store.paths(.init(.service(text)), .init(.tag(text)), .init(.target(text)))
    }

    @Test func `the last exchange of an endpoint is found in its workspace only`() throws {
        store.keep([
            try finishedCall("http://127.0.0.1:8080/1"), try finishedCall("http://127.0.0.1:8080/2"),
            try finishedCall("http://127.0.0.1:8080/3", target: "shop/orders/list-all"),
        ])
        store.record(try finishedCall("http://127.0.0.1:8080/4"), workspace: "/work/other", redaction: .standard)
        store.flush()
        func last(_ target: String, in workspace: String = "/work/demo") throws -> Int64? {
            try store.past(ofLast: Endpoint(target: target, name: "", path: "/orders"), in: workspace)?.item.number
        }
        #expect(try last("shop/orders/list") == 2)
        #expect(try last("shop/orders/list", in: "/work/other") == 4)
        #expect(try last("shop/orders") == nil)
        try store.delete([2])
        #expect(try last("shop/orders/list") == 1)
    }

    @Test func `the last exchange of an endpoint has its present method and path`() throws {
        func call(_ method: HTTPMethod, _ path: String) throws -> CompletedCall {
            try finishedCall("http://127.0.0.1:8080" + path, method: method) {
                $0.request.origin = RequestOrigin(endpoint: Endpoint(target: "shop/orders/list", name: "List", method: method, path: path))
            }
        }
        store.keep([try call(.delete, "/bigint"), try call(.get, "/dup"), try call(.get, "/bigint")])
        func last(_ method: HTTPMethod, _ path: String) throws -> Int64? {
            try store.past(ofLast: Endpoint(target: "shop/orders/list", name: "List", method: method, path: path), in: "/work/demo")?.item.number
        }
        #expect(try last(.get, "/dup") == 2)
        #expect(try last(.delete, "/bigint") == 1)
        #expect(try last(.delete, "/dup") == nil)
    }

    @Test func `the last response of a step is found, without calls that got none or only a part`() throws {
        func call(_ step: String, status: Int? = 200, error: NetworkError? = nil, run: String = "r") throws -> CompletedCall {
            try finishedCall(status: status, error: error) { exchange in
                let endpoint = Endpoint(target: "shop/orders/list", name: "List", path: "/orders")
                exchange.request.origin = RequestOrigin(endpoint: endpoint, run: run, step: step)
            }
        }
        let rejected = NetworkError(.business, "refused")
        store.keep([
            try call("a"), try call("b"), try call("a", error: rejected), try call("a", status: nil, error: NetworkError(.timedOut, "late")),
            try call("a", error: NetworkError(.cancelled, "cancelled")), try call("a", error: NetworkError(.truncatedBody, "lost")),
            try call("a", run: "other"),
        ])
        func numbers(before end: Int64? = nil) throws -> [String: Int64] {
            try store.numbers(ofLastStepsOf: "r", in: "/work/demo", environment: "develop", before: end)
        }
        #expect(try numbers() == ["a": 3, "b": 2])
        #expect(try numbers(before: 3) == ["a": 1, "b": 2])
        #expect(try store.numbers(ofLast: "a", of: "r", in: "/work/demo", environment: "develop", limit: 2) == [3, 1])
        #expect(try store.numbers(ofLast: "a", of: "r", in: "/work/demo", environment: "develop", before: 3, limit: 1) == [1])
        let all = try store.page(HistoryQuery(HistoryFilter([]))).items
        #expect(all.filter(\.hasResponse).map(\.number) == [7, 3, 2, 1])
    }

    @Test func `a row of an incomplete body has its announced size`() throws {
        func call(_ length: String?, error: NetworkError?) throws -> CompletedCall {
            try finishedCall(body: Array("hello world!".utf8), error: error) { exchange in
                if let length { exchange.response?.headers.append("content-LENGTH", length) }
            }
        }
        let cut = NetworkError(.truncatedBody, "cut")
        store.keep([try call("100", error: cut), try call(nil, error: cut), try call("x", error: cut), try call("100", error: nil)])
        #expect(try store.page(HistoryQuery()).items.map(\.announcedBytes) == [nil, nil, nil, 100])
    }

    @Test func `a gRPC call is listed with its own status, and is an error unless that is OK`() throws {
        func call(_ path: String, header: Headers = [], trailer: Headers = []) throws -> CompletedCall {
            try finishedCall("http://127.0.0.1:8080/\(path)", kind: .grpc) { exchange in
                exchange.response?.headers = header
                exchange.response?.trailers = trailer
            }
        }
        store.keep([
            try call("ok", trailer: ["grpc-status": "0"]), try call("missing", header: ["grpc-status": "5"]),
            try call("odd", trailer: ["grpc-status": "x"]), try call("proxy"), try finishedCall("http://127.0.0.1:8080/http"),
        ])
        #expect(try store.page(HistoryQuery()).items.map(\.statusText) == ["200", "200", "UNKNOWN", "NOT_FOUND", "OK"])
        #expect(try store.paths(.init(.success(.error))) == ["/proxy", "/odd", "/missing"])
        #expect(try store.paths(.init(.success(.ok))) == ["/http", "/ok"])
    }

    @Test func `pages are consecutive in both directions, with and without a filter`() throws {
        store.keep(try (1...50).map { try finishedCall("http://127.0.0.1:8080/\($0)", status: $0 % 2 == 0 ? 200 : 500) })
        for filter in [
            HistoryFilter(), HistoryFilter([.init(.status(500...599))]), HistoryFilter([.init(.words("127", .url)), .init(.status(500...500))]),
            HistoryFilter([.init(.words("items", .body))]), HistoryFilter([.init(.target("list"))]),
        ] {
            let all = try store.page(HistoryQuery(filter)).items
            #expect(all.count >= 25)
            var down: [HistoryItem] = []
            var page = try store.page(HistoryQuery(filter, limit: 7))
            #expect(!page.hasNewer)
            while true {
                down += page.items
                guard page.hasOlder, let last = page.items.last else { break }
                page = try store.page(HistoryQuery(filter, at: .olderThan(last.number), limit: 7))
                #expect(page.hasNewer)
            }
            #expect(down == all)
            var up: [HistoryItem] = []
            page = try store.page(HistoryQuery(filter, at: .oldest, limit: 7))
            #expect(!page.hasOlder)
            while true {
                up = page.items + up
                guard page.hasNewer, let first = page.items.first else { break }
                page = try store.page(HistoryQuery(filter, at: .newerThan(first.number), limit: 7))
                #expect(page.hasOlder)
            }
            #expect(up == all)
            #expect(try store.count(filter, upTo: 1000) == all.count && store.count(filter, upTo: 10) == 10)
            #expect(try store.page(HistoryQuery(filter, at: .olderThan(1))) == HistoryPage(items: [], hasNewer: true, hasOlder: false))
        }
    }
}
