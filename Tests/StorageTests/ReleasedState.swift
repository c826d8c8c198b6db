import Foundation
import SortieHTTP
import Support
import WorkspaceModel

/// A copy of the state that a released version wrote, and the values from which it was written (`Tests/Fixtures/README.md`).
struct ReleasedState {
    /// The workspace of the fixtures.
    static let workspace = "/work/demo"

    let folder: TemporaryFolder

    init(_ version: String) throws {
        folder = try TemporaryFolder()
        let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures")
        try FileManager.default.copyItem(
            at: fixtures.appendingPathComponent(version).appendingPathComponent("sortie"), to: folder.url.appendingPathComponent("sortie"))
    }

    /// The paths of all files.
    var files: [String] {
        (FileManager.default.subpaths(atPath: folder.path) ?? []).filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: folder.path(path), isDirectory: &isFolder) && !isFolder.boolValue
        }
    }

    /// The only file whose path begins so.
    func file(_ prefix: String, _ suffix: String) throws -> String {
        let found = files.filter { $0.hasPrefix("sortie/\(prefix)/") && $0.hasSuffix(suffix) }
        guard found.count == 1 else { throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "\(prefix): \(found)"]) }
        return folder.path(found[0])
    }

    // MARK: Values

    private static func endpoint(_ name: String, _ change: (inout Endpoint) -> Void = { _ in }) -> Endpoint {
        var endpoint = Endpoint(target: "shop/\(name)", name: name, path: "/\(name)")
        change(&endpoint)
        return endpoint
    }

    /// An endpoint with a value for every key.
    static var full: Endpoint {
        var full = Endpoint(target: "shop/orders/create", name: "Create an order", method: .post, path: "/orders/{{id}}?q=*a&b=[c]")
        full.summary = "Creates an order.\nSecond line: *x &y"
        full.query = [Parameter("page", "2", isEnabled: false, summary: "the page"), Parameter("size", "20"), Parameter("size", "true")]
        full.headers = [Parameter("Accept", "application/json"), Parameter("X-Trace", "{{$uuid}}")]
        full.auth = .basic(user: "ann", password: "{{password}}")
        full.body = .json("{\n  \"item\": \"{{item}}\",\n  \"count\": 3\n}")
        full.variables = ["id": "42", "empty": ""]
        full.kind = .upload
        full.download = DownloadSettings(to: "~/Downloads/", connections: 4)
        full.timeouts = Timeouts(connect: .seconds(3), idle: .milliseconds(1500), total: .seconds(90))
        full.priority = .high
        full.traffic = .resource
        full.cache = CacheSetting(lifetime: .seconds(300))
        full.retry = RetryPolicy(limit: 3, parksWhenOffline: true, repeatsAnyMethod: true)
        full.version = .http2
        full.redirects = 0
        full.compression = false
        full.cookies = false
        full.interface = "eth0"
        var paging = Paging()
        (paging.number, paging.size, paging.cursor) = ("page", "size", "cursor")
        (paging.next, paging.items, paging.total) = ("$.next", "$.items", "$.total")
        full.paging = paging
        full.expectation = Expectation(
            status: 201, json: [Parameter("$.count", ">= 1"), Parameter("$.count", "< 10"), Parameter("$.id", "exists")],
            headers: [Parameter("Content-Type", "matches json")], under: .milliseconds(500))
        full.captures = [Capture(name: "order", path: "$.id"), Capture(name: "etag", path: "header ETag")]
        full.answer = ResponseExpectation(
            statuses: [200...299, 304...304], contentTypes: ["application/json"], shape: "{\"id\": 1}", messages: ["E1": "sold out"])
        full.parameters = ParameterStyle(arrays: "index", booleans: "numbers", nulls: "omit", charset: "gbk")
        full.pluginUse = Endpoint.PluginUse.none
        full.location = SourceLocation(file: "shop/orders/create.yaml", line: 3, column: 1)
        return full
    }

    static var plain: Endpoint { endpoint("list") }

    static var file: Endpoint {
        endpoint("file") {
            $0.method = .post
            $0.body = .file(path: "/work/demo/shop/body.bin", contentType: nil)
        }
    }

    static var parts: Endpoint {
        endpoint("parts") {
            $0.method = .post
            $0.body = .multipart([
                .init(name: "note", value: "hello", contentType: "text/plain"),
                .init(name: "file", value: "/work/demo/shop/a.png", isFile: true, fileName: "b.png", isEnabled: false),
            ])
        }
    }

    /// The endpoints of the drafts.
    static var drafts: [Endpoint] {
        [
            full, plain, endpoint("sixty") { $0.timeouts = Timeouts() },
            endpoint("unlimited") {
                $0.timeouts = Timeouts(total: nil)
                $0.auth = .none
            },
            endpoint("form") {
                $0.method = .put
                $0.body = .form([Parameter("a", "1"), Parameter("", "x", isEnabled: false)])
                $0.auth = .bearer(token: "{{token}}")
            },
            endpoint("text") {
                $0.method = .post
                $0.body = .text("line 1\r\nline 2\t\u{1}", contentType: "text/csv")
                $0.auth = .digest(user: "u", password: "p")
            }, file,
            endpoint("plist") {
                $0.method = .post
                $0.body = .plist("<plist/>")
            }, parts, endpoint("typing") { $0.path = "http://[::1" },
        ]
    }

    static var transfers: [QueuedTransfer] {
        let big = endpoint("files/big.bin") {
            $0.kind = .download
            $0.path = "/files/big.bin?token={{token}}"
            $0.name = "files/big.bin"
        }
        var download = QueuedTransfer(big, environment: "develop", destination: "/home/ann/Downloads/")
        download.file = "/home/ann/Downloads/big.bin"
        download.bytes = 1_000_000
        download.total = 5_000_000
        return [download, QueuedTransfer(file, environment: nil, replays: 2)]
    }

    static var parked: [ParkedRequest] {
        [
            ParkedRequest(
                id: "0198f6a0-0000-7000-8000-000000000001", endpoint: full, environment: "develop",
                since: Date(timeIntervalSince1970: 1_763_700_000.5), expires: Date(timeIntervalSince1970: 1_763_786_400),
                reason: "the network is unreachable"),
            ParkedRequest(
                id: "0198f6a0-0000-7000-8000-000000000002", endpoint: plain, environment: nil, since: Date(timeIntervalSince1970: 1_763_700_001),
                expires: Date(timeIntervalSince1970: 1_763_786_401), reason: "no name server answers", isOut: true),
        ]
    }

    /// The run that failed.
    static var run: RunRecord {
        var run = RunRecord(
            run: "checkout", kind: .chain, environment: "develop",
            steps: [
                StepRecord(name: "login", target: "shop/login"), StepRecord(name: "order", target: "shop/orders/create", row: 1),
                StepRecord(name: "pay", target: "shop/pay"),
            ])
        run.steps[0].state = .done
        (run.steps[0].status, run.steps[0].seconds, run.steps[0].captures) = (200, 0.25, ["token": "t0ken"])
        run.steps[1].state = .failed
        (run.steps[1].status, run.steps[1].seconds) = (503, 0.5)
        run.steps[1].failures = [StepFailure(.expectation, subject: "status", expected: "201", actual: "503")]
        run.steps[2].state = .skipped
        run.state = .failed
        run.failedStep = 1
        run.duration = 0.75
        return run
    }

    static var cookies: [Cookie] {
        [
            Cookie(
                name: "session", value: "abc", domain: "shop.test", isHostOnly: true, path: "/",
                expiresAt: Date(timeIntervalSince1970: 4_000_000_000), isSecure: true, isHTTPOnly: true, sameSite: .lax),
            Cookie(name: "theme", value: "dark", domain: "shop.test", isHostOnly: false, path: "/ui"),
        ]
    }

    static var names: [ResolvedName] {
        [
            ResolvedName(
                host: "shop.test", server: nil, addresses: ["127.0.0.2", "::1"], found: Date(timeIntervalSince1970: 1_763_700_000), lifetime: 60),
            ResolvedName(
                host: "b.test", server: "https://dns.test/dns-query", addresses: ["192.0.2.1"], found: Date(timeIntervalSince1970: 1_763_700_001),
                lifetime: 300),
        ]
    }

    /// The endpoint of the first exchange of the history.
    static var listing: Endpoint {
        endpoint("list") {
            $0.path = "/list?page={{page}}"
            $0.query = [Parameter("size", "20")]
            $0.location = SourceLocation(file: "shop/list.yaml")
        }
    }
}
