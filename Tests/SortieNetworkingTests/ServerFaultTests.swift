import Foundation
import Support
import Testing

@testable import SortieNetworking

/// Calls of servers with faults that seeds select: each ends with the right bytes or the right error, and the next request of the client succeeds.
///
/// `SORTIE_FAULTS` is the number of seeds, and `SORTIE_FAULT=SEED` runs one.
@Suite struct ServerFaultTests {
    private static let groups = 12
    private static let file = ServedFile(120_000).bytes

    /// The seeds of this run.
    private static var seeds: Range<UInt64> {
        let environment = ProcessInfo.processInfo.environment
        if let one = environment["SORTIE_FAULT"].flatMap({ UInt64($0) }) { return one..<one + 1 }
        return 0..<(environment["SORTIE_FAULTS"].flatMap { UInt64($0) } ?? (LongRun.isRequested ? 10_000 : 200))
    }

    @Test func `a server with a fault gives the right bytes or the right error, in bounded memory, and the next request succeeds`() async {
        // In a separate process, because the peak of its memory is compared.
        await #expect(processExitsWith: .success) {
            var kinds = Fault.ofHTTP + Fault.ofHTTP2 + Fault.ofTLS
            let nginx = Nginx.isAvailable ? try await onNewThread { try Nginx.start(files: ["file": Self.file]) } : nil
            if let nginx { kinds += [("fault in TLS", Fault.inTLS(of: nginx, Self.file))] }
            let before = try ProcessUsage.memory("VmHWM")
            let (all, callers) = (kinds, try (0..<Self.groups).map { _ in try Caller() })
            try await Self.inGroups { group, seed in
                let (name, kind) = all[Int(seed) % all.count]
                var random = SeededGenerator(seed: seed)
                // An error that is thrown out of the test would end the process without a message.
                var failure: String?
                do { failure = try await Self.failure(of: kind(&random), callers[group]) } catch { failure = "\(error)" }
                if let failure { Issue.record("\(name): \(failure); SORTIE_FAULT=\(seed) repeats it") }
            }
            let grown = try ProcessUsage.memory("VmHWM") - before
            // The peak of 12 calls at the same time: 206 MiB in a run of 10,000 seeds, in whose course the memory did not grow.
            // The memory of a sanitizer grows with that of the process (.ci/sanitize sets this variable).
            if ProcessInfo.processInfo.environment["TSAN_OPTIONS"] == nil { #expect(grown < 300 << 20, "\(grown >> 20) MiB") }
        }
    }

    @Test func `a download through connections with faults gives the file, or an error after which the next download gives it`() async throws {
        try await Self.inGroups { _, seed in
            var random = SeededGenerator(seed: seed)
            let file = ServedFile(Int.random(in: 1...200_000, using: &random), seed: seed)
            let broken = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                let share = Double.random(in: 0..<1, using: &random)
                let end: Step = [.closeGracefully, .reset, .holdOpen].randomElement(using: &random) ?? .reset
                return Script([
                    .readRequest,
                    .respond {
                        let wire = file.answer($0).bytes
                        return Array(wire.prefix(Int(share * Double(wire.count))))
                    }, end,
                ])
            }
            let server = try ScriptedServer(broken + [file.honest])
            let bench = try DownloadBench()
            var codes: [NetworkError.Code] = []
            repeat {
                // Silence ends the first downloads soon; later ones are more patient, because a busy machine is silent, too.
                let idle = Duration.milliseconds(100 << codes.count)
                let run = try await bench.run("\(server.url)/file") { $0.request.options.timeouts.idle = idle }
                guard let code = run.code else { break }
                codes.append(code)
            } while codes.count < 10
            let names = try bench.folder.names.filter { $0 != "spool" }
            #expect(names == ["out"], "SORTIE_FAULT=\(seed): \(codes)")
            if names == ["out"] { #expect(try bench.folder.read("out") == file.bytes, "SORTIE_FAULT=\(seed): \(codes)") }
        }
    }

    /// Runs `body` with each seed and the number of its group; the groups run at the same time.
    private static func inGroups(_ body: @escaping @Sendable (_ group: Int, _ seed: UInt64) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            let seeds = seeds
            for group in 0..<groups {
                tasks.addTask { for seed in seeds where Int(seed) % groups == group { try await body(group, seed) } }
            }
            try await tasks.waitForAll()
        }
    }

    /// The first difference between the call of a server with a fault, or the next one, and what is right; nil for none.
    private static func failure(of fault: Fault, _ caller: Caller) async throws -> String? {
        let server = try ScriptedServer([fault.script, .answering { .ok($0.target) }])
        let path = fault.isSecure ? "/files/file" : "/first"
        var request = try Request.to("\(fault.isSecure ? "https://localhost:\(server.port)" : server.url)\(path)")
        request.options.timeouts = Timeouts(connect: .seconds(60), idle: .seconds(60), total: .seconds(60))
        if fault.isSecure { request.options.addresses = [try #require(IPAddress("127.0.0.1"))] }
        fault.configure(&request)
        let events = try await caller.events(request, within: .seconds(90))
        if let failure = failure(of: fault, events, mostBytes: request.options.maximumBodyBytes) { return failure }
        // On a busy machine a short limit may end the call before its connection, which then is that of the next request.
        if events.end?.error?.code == .timedOut, server.requests.isEmpty { return nil }
        let next = try await caller.get("\(server.url)/next")
        return next.text == "/next" && next.error == nil ? nil : "the next request gave \(next.text ?? "nothing") and \(next.error.debugDescription)"
    }

    private static func failure(of fault: Fault, _ events: [CallEvent], mostBytes: Int64?) -> String? {
        guard let end = events.end else { return "\(events.ends.count) ends" }
        let body = end.response?.body.all ?? []
        if let mostBytes, body.count > mostBytes { return "\(body.count) bytes" }
        if let error = end.error {
            guard fault.codes.contains(error.code) else { return "\(error), not \(fault.codes)" }
            guard let right = fault.body else { return nil }
            return Array(right.prefix(body.count)) == body ? nil : "\(body.count) other bytes before \(error)"
        }
        guard fault.mayComplete else { return "a response with \(body.count) bytes, not \(fault.codes)" }
        guard end.response != nil else { return "neither a response nor an error" }
        guard let right = fault.body else { return nil }
        return body == right ? nil : "\(body.count) bytes, not the right \(right.count)"
    }
}
