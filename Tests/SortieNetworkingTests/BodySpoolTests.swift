import Foundation
import Glibc
import Support
import Synchronization
import Testing

@testable import SortieNetworking

/// Tests bodies of any size: small ones in memory, large ones in a private unlinked file.
@Suite(.fewAtOnce)
struct BodySpoolTests {
    private let caller: Caller

    init() throws {
        caller = try Caller()
    }

    /// Bytes in which every position differs from its neighbours.
    private static func pattern(_ count: Int) -> [UInt8] {
        // A prime number of bytes, so that no two pieces of a power of two are equal.
        let block = (0..<65_521).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + block.count)
        while bytes.count < count { bytes += block }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// The files in `folder` that descriptors of this process refer to.
    private static func openFiles(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
            .filter { $0.hasPrefix(folder + "/") }
    }

    @Test(arguments: [0, 1, 65_536, BodyBuffer.memoryLimit - 1, BodyBuffer.memoryLimit])
    func `a body up to 1 MiB stays in memory and is exact`(_ size: Int) async throws {
        let body = Self.pattern(size)
        let server = try ScriptedServer(answering: .ok(bytes: body))
        let exchange = try await caller.get(server.url)
        #expect(exchange.response?.body.all == body)
        #expect(try Self.openFiles(in: caller.folder.path).isEmpty)
    }

    @Test func `a body that is far ahead of its consumer waits for it`() throws {
        let demand = BodyDemand(window: 2 << 20)
        var buffer = BodyBuffer(folder: caller.folder.path, limit: nil, demand: demand)
        let chunk = [UInt8](repeating: 1, count: 256 << 10)
        let resumed = Atomic(0)
        func append() throws -> Bool {
            try chunk.withUnsafeBytes { try buffer.append($0) { resumed.add(1, ordering: .relaxed) } }
        }
        demand.begin()
        let waits = try (0..<8).map { _ in try append() }
        #expect(waits == [false, false, false, false, false, false, false, true] && resumed.load(ordering: .relaxed) == 0)
        demand.take(upTo: 1 << 20)
        #expect(resumed.load(ordering: .relaxed) == 1)
        #expect(try !append())
        demand.end()
        #expect(try (0..<4).allSatisfy { _ in try !append() })
    }

    @Test func `a body whose consumer takes it while it arrives is exact`() async throws {
        let body = Self.pattern(6 << 20)
        let server = try ScriptedServer(answering: .ok(bytes: body))
        let demand = BodyDemand(window: 1 << 20)
        demand.begin()
        var result: Exchange?
        for await event in caller.client.events(try Request(server.url), demand: demand) {
            if case .grew(let view) = event { demand.take(upTo: view.count) }
            if case .finished(let exchange) = event { result = exchange }
        }
        #expect(result?.response?.body.all == body)
    }

    @Test func `a body above 1 MiB is in an unlinked file for as long as it is used`() async throws {
        let body = Self.pattern(BodyBuffer.memoryLimit + 1)
        let server = try ScriptedServer(answering: .ok(bytes: body))
        var exchange: Exchange? = try await caller.get(server.url)
        #expect(exchange?.response?.body.all == body)
        let files = try Self.openFiles(in: caller.folder.path)
        #expect(files.count == 1)
        #expect(files.allSatisfy { $0.hasSuffix("(deleted)") })
        #expect(try caller.folder.names.isEmpty)
        exchange = nil
        // The engine may hold the body for a moment longer, in its last callback.
        try await withDeadline(.seconds(300), "the file of the body to be closed") { [folder = caller.folder.path] in
            while try !Self.openFiles(in: folder).isEmpty {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    @Test func `a body of 64 MiB is exact`() async throws {
        let body = Self.pattern(64 << 20)
        let server = try ScriptedServer(answering: .ok(bytes: body))
        let exchange = try await caller.get(server.url)
        #expect(exchange.response?.body.count == body.count)
        #expect(exchange.response?.body.holds(body) == true)
        #expect(exchange.response?.wireBytes == 64 << 20)
    }

    @Test func `a view grows while the body arrives, and displayed bytes do not change`() async throws {
        let parts = (0..<5).map { [UInt8](repeating: UInt8($0 + 65), count: 700_000) }
        let gates = parts.map { _ in Gate() }
        var steps: [Step] = [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: \(5 * 700_000)\r\n\r\n")]
        for (part, gate) in zip(parts, gates) { steps += [.wait(for: gate), .send(part)] }
        let server = try ScriptedServer(Script(steps))
        let call = caller.begin(try .to(server.url))
        for (index, gate) in gates.enumerated() {
            gate.open()
            guard index < gates.count - 1 else { break }
            // Until the body is complete, the file contains only whole pieces of 256 KiB.
            let least = (index + 1) * 700_000 - (1 << 18)
            try await call.wait(for: "\(least) bytes of body") {
                if case .grew(let view) = $0 { view.count >= least } else { false }
            }
        }
        let events = try await call.end()
        let whole = try #require(events.end?.response?.body.all)
        #expect(whole == Array(parts.joined()))
        let views = events.views
        for (earlier, later) in zip(views, views.dropFirst()) { #expect(earlier.count <= later.count) }
        for view in views { #expect(view.holds(Array(whole.prefix(view.count)))) }
    }

    @Test func `a body that crosses 1 MiB slowly never shrinks`() async throws {
        let body = Self.pattern(BodyBuffer.memoryLimit + 300_000)
        let server = try ScriptedServer([
            .readRequest, .send(HTTPAnswer(body: body).headBytes), .send(Array(body.prefix(BodyBuffer.memoryLimit - 10))),
            .sendSlowly(Array(body.dropFirst(BodyBuffer.memoryLimit - 10)), chunk: 10_000, every: .milliseconds(10)),
        ])
        let events = try await caller.events(.to(server.url))
        let sizes = events.views.map(\.count)
        #expect(sizes == sizes.sorted(), "\(sizes)")
        #expect(events.end?.response?.body.all == body)
    }

    @Test func `a limit above 1 MiB stops a spooled body`() async throws {
        let server = try ScriptedServer([.readRequest, .send("HTTP/1.1 200 OK\r\n\r\n"), .sendForever(Self.pattern(100_000))])
        let exchange = try await caller.get(server.url) { $0.maximumBodyBytes = 3 << 20 }
        #expect(exchange.error?.code == .bodyTooLarge)
        let count = exchange.response?.body.count ?? 0
        #expect(count > 2 << 20 && count <= 3 << 20)
    }

    @Test func `a body without a limit is accepted`() async throws {
        let server = try ScriptedServer(answering: .ok(bytes: Self.pattern(2 << 20)))
        let exchange = try await caller.get(server.url) { $0.maximumBodyBytes = nil }
        #expect(exchange.response?.body.count == 2 << 20)
    }

    @Test func `a large body is exact where the spool folder cannot be created`() async throws {
        let client = Client(.init(spoolFolder: "/proc/no-folder"))
        let body = Self.pattern(3 << 20)
        let server = try ScriptedServer(answering: .ok(bytes: body))
        #expect(try await client.exchange(.to(server.url)).response?.body.holds(body) == true)
    }

    @Test func `a file without a writable folder is in memory, and limited there with the remedy`() async throws {
        let spool = try SpoolFile(folder: "/proc/no-folder", temporary: "/proc/none-either", memoryLimit: 3 << 20)
        let chunk = Self.pattern(2 << 20)
        _ = spool.append(chunk) {}
        try await spool.finish()
        #expect(spool.view.holds(chunk))
        _ = spool.append(chunk) {}
        let error = await #expect(throws: NetworkError.self) { try await spool.finish() }
        #expect(error?.code == .storage)
        #expect(error?.message.contains("/proc/no-folder") == true)
        #expect(error?.hint == "set XDG_CACHE_HOME or TMPDIR to a writable folder")
        #expect(spool.view.holds(chunk), "what arrived before is kept")
    }

    @Test func `the spool folder is created when missing, for its owner only`() async throws {
        let path = caller.folder.path("a/b")
        _ = Client(.init(spoolFolder: path))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
    }

    @Test func `a file suspends its sender when the disk is behind, and resumes it later`() async throws {
        let spool = try SpoolFile(folder: caller.folder.path)
        let calls = Watched(0)
        let chunk = [UInt8](repeating: 1, count: SpoolFile.highWater + 1)
        let mustWait = spool.append(chunk) { calls.change { $0 += 1 } }
        #expect(mustWait)
        try await calls.wait("the file to drain", within: .seconds(300)) { $0 == 1 ? () : nil }
        #expect(!spool.append([2, 3]) { calls.change { $0 += 1 } })
        try await spool.finish()
        #expect(spool.view.count == chunk.count + 2)
        #expect(spool.view.bytes(in: chunk.count..<chunk.count + 2) == [2, 3])
        #expect(calls.current == 1)
    }

    @Test func `only what a body needs is mapped, and a view stays readable after the file has grown beyond it`() async throws {
        let spool = try SpoolFile(folder: caller.folder.path)
        _ = spool.append([1, 2, 3]) {}
        try await spool.finish()
        let first = spool.view
        _ = spool.append([UInt8](repeating: 4, count: SpoolFile.firstCapacity)) {}
        try await spool.finish()
        #expect(first.bytes(in: 0..<first.count) == [1, 2, 3])
        let end = SpoolFile.firstCapacity + 3
        #expect(spool.view.count == end && spool.view.bytes(in: 0..<4) == [1, 2, 3, 4] && spool.view.bytes(in: end - 1..<end) == [4])
        // Addresses and permissions, offset, device, inode and the name of each mapping (proc_pid_maps(5)).
        let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8).split(separator: "\n").filter { $0.contains(caller.folder.path) }
        let sizes = maps.map { line in
            let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { Int($0, radix: 16) }
            return ends.count == 2 ? ends[1] - ends[0] : 0
        }
        #expect(!sizes.isEmpty && sizes.reduce(0, +) <= 4 * SpoolFile.firstCapacity, "\(maps)")
        withExtendedLifetime(first) {}
    }

    @Test func `a paused transfer resumes when the disk has caught up`() async throws {
        let body = Self.pattern(48 << 20)
        let server = try ScriptedServer(answering: .ok(bytes: body))
        let exchanges = try await withThrowingTaskGroup(of: Exchange.self) { group in
            for _ in 0..<3 { group.addTask { try await caller.get(server.url) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for exchange in exchanges { #expect(exchange.response?.body.holds(body) == true) }
    }
}

extension BodyBytes {
    /// Whether the content equals `bytes`; compared with memcmp, because a debug build would take seconds for 64 MiB byte by byte.
    fileprivate func holds(_ bytes: [UInt8]) -> Bool {
        guard count == bytes.count, count > 0 else { return count == bytes.count }
        return withUnsafeBytes { mine in
            bytes.withUnsafeBytes { theirs in
                guard let left = mine.baseAddress, let right = theirs.baseAddress else { return false }
                return memcmp(left, right, mine.count) == 0
            }
        }
    }
}
