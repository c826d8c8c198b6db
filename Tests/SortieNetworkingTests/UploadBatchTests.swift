import Foundation
import Support
import Testing

@testable import SortieNetworking

/// Tests uploads of independent files (S2.63).
@Suite(.fewAtOnce) struct UploadBatchTests {
    /// A folder with files that contain their names, and a server that rejects uploads to `/b` until the test permits them.
    private struct Bench {
        let caller: Caller
        let server: ScriptedServer
        let accepts = Watched(false)

        init(_ names: [String]) throws {
            caller = try Caller()
            server = try ScriptedServer { [accepts] request in
                request.target == "/b" && !accepts.current ? .status(503, "busy") : .ok(request.bodyText)
            }
            for name in names { try caller.folder.write(name, Array(name.utf8)) }
        }

        func request(_ name: String, to target: String? = nil) throws -> Request {
            try .to("\(server.url)/\(target ?? name)", .put, body: .file(path: caller.folder.path(name), contentType: nil))
        }

        func run(_ batch: UploadBatch, onEvent: (@Sendable (Int, CallEvent) -> Void)? = nil) async throws -> [Int] {
            try await withDeadline(.seconds(300), "the uploads to end") { try await batch.run(onEvent: onEvent) }
        }

        var files: [String] { get throws { try caller.folder.names.filter { $0.utf8.count == 1 } } }
    }

    @Test func `S2.63 a batch continues after a failure, tells what is left, and sends only that later`() async throws {
        let bench = try Bench(["a", "b", "c"])
        let batch = UploadBatch(try ["a", "b", "c"].map { try bench.request($0) }, with: bench.caller.client)
        #expect(batch.remaining == [0, 1, 2])
        #expect(try await bench.run(batch) == [1])
        #expect(batch.outcomes.map(\.isConfirmed) == [true, false, true])
        #expect((batch.outcomes[1].error as? NetworkError)?.code == .status)
        #expect(bench.server.requests.map(\.target) == ["/a", "/b", "/c"])
        bench.accepts.change { $0 = true }
        #expect(try await bench.run(batch).isEmpty)
        #expect(bench.server.requests.map(\.target) == ["/a", "/b", "/c", "/b"])
        #expect(try bench.files == ["a", "b", "c"], "no file is removed unless it is requested")
    }

    @Test func `S2.63 only files that the server confirmed are removed, when it is requested`() async throws {
        let bench = try Bench(["a", "b"])
        let batch = UploadBatch(try ["a", "b"].map { try bench.request($0) }, with: bench.caller.client, removesConfirmedFiles: true)
        #expect(try await bench.run(batch) == [1])
        #expect(try bench.files == ["b"])
        #expect(batch.outcomes[0].removedFiles == [bench.caller.folder.path("a")])
        bench.accepts.change { $0 = true }
        #expect(try await bench.run(batch).isEmpty)
        #expect(try bench.files.isEmpty)
    }

    @Test func `S2.63 a file that changed during its upload and a symbolic link are kept`() async throws {
        let bench = try Bench(["a", "c"])
        try FileManager.default.createSymbolicLink(atPath: bench.caller.folder.path("l"), withDestinationPath: bench.caller.folder.path("c"))
        let folder = bench.caller.folder
        let requests = try [bench.request("a"), bench.request("l")]
        let batch = UploadBatch(requests, with: bench.caller.client, removesConfirmedFiles: true) { index, exchange in
            // The file is replaced between its upload and its removal.
            if index == 0 { try folder.write("a", Array("new".utf8)) }
            try UploadBatch.requireSuccess(exchange)
        }
        #expect(try await bench.run(batch).isEmpty)
        #expect(try bench.files == ["a", "c", "l"])
        #expect(batch.outcomes[0].keptFiles == [folder.path("a"): "it changed since the upload started"])
        #expect(batch.outcomes[1].keptFiles == [folder.path("l"): "it is not a regular file"])
    }

    @Test func `S2.63 a file that another upload still needs is removed after that upload`() async throws {
        let bench = try Bench(["a"])
        let requests = try [bench.request("a"), bench.request("a", to: "b")]
        let batch = UploadBatch(requests, with: bench.caller.client, removesConfirmedFiles: true)
        #expect(try await bench.run(batch) == [1])
        #expect(try bench.files == ["a"])
        bench.accepts.change { $0 = true }
        #expect(try await bench.run(batch).isEmpty)
        #expect(try bench.files.isEmpty)
    }

    @Test func `S2.63 a lenient confirmation does not remove a file whose status is not accepted`() async throws {
        let bench = try Bench(["b"])
        let batch = UploadBatch([try bench.request("b")], with: bench.caller.client, removesConfirmedFiles: true) { _, _ in }
        #expect(try await bench.run(batch).isEmpty)
        #expect(try bench.files == ["b"])
        #expect(batch.outcomes[0].keptFiles.values.first == "the server did not accept it")
    }

    @Test func `a batch that stops at a failure starts no further upload`() async throws {
        let bench = try Bench(["b", "c"])
        let batch = UploadBatch(try ["b", "c"].map { try bench.request($0) }, with: bench.caller.client, stopsAtFailure: true)
        #expect(try await bench.run(batch) == [0, 1])
        #expect(bench.server.requests.map(\.target) == ["/b"])
        #expect(batch.outcomes[1].exchange == nil)
    }

    @Test func `events have the number of their upload`() async throws {
        let bench = try Bench(["a", "c"])
        let batch = UploadBatch(try ["a", "c"].map { try bench.request($0) }, with: bench.caller.client)
        let ends = Watched<[Int]>([])
        _ = try await bench.run(batch) { index, event in
            if case .finished = event { ends.change { $0.append(index) } }
        }
        #expect(ends.current == [0, 1])
    }
}
