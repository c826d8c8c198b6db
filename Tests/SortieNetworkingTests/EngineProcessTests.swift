import Foundation
import Glibc
import Support
import Testing

@testable import SortieNetworking

/// Tests effects on the complete process; each test runs in a separate process.
@Suite(.fewAtOnce)
struct EngineProcessTests {
    @Test func `a thousand requests of one client all end`() async {
        await #expect(processExitsWith: .success) {
            let server = try ScriptedServer { .ok($0.target) }
            let caller = try Caller()
            let right = try await withDeadline(.seconds(300), "a thousand requests to end") {
                try await withThrowingTaskGroup(of: Bool.self) { group in
                    for index in 0..<1000 {
                        group.addTask { try await caller.get("\(server.url)/\(index)").text == "/\(index)" }
                    }
                    return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
            }
            #expect(right == 1000)
            #expect(server.requests.count == 1000)
            #expect(server.acceptedConnections <= RequestQueue.defaultLimit)
        }
    }

    @Test func `S1.12 cancelAll ends a thousand requests, including waiting ones`() async {
        await #expect(processExitsWith: .success) {
            let server = try ScriptedServer([.readRequest, .holdOpen])
            let caller = try Caller()
            let calls = try (0..<1000).map { _ in caller.begin(try .to(server.url)) }
            _ = try await server.waitForRequests(RequestQueue.defaultLimit)
            caller.client.cancelAll()
            try await withDeadline(.seconds(300), "a thousand cancelled calls to end") {
                for call in calls { _ = try await call.end() }
            }
            #expect(calls.allSatisfy { $0.events.current.end?.error?.code == .cancelled })
            #expect(server.requests.count == RequestQueue.defaultLimit)
        }
    }

    @Test func `two hundred requests with various results leave no descriptor open`() async {
        await #expect(processExitsWith: .success) {
            let server = try ScriptedServer(
                Script(
                    .repeat([
                        .readRequest,
                        .respond { request in
                            switch request.target {
                            case "/cut": HTTPAnswer.claiming(length: 10, "half").bytes
                            case "/large": HTTPAnswer.ok(bytes: [UInt8](repeating: 1, count: 2 << 20)).bytes
                            case "/garbage": Array("garbage\r\n\r\n".utf8)
                            default: HTTPAnswer.ok("fine").bytes
                            }
                        },
                    ])))
            let dead = try DeadPort(.refusing)
            let caller = try Caller()
            func round(_ count: Int) async throws {
                for index in 0..<count {
                    switch index % 6 {
                    case 0: _ = try await caller.get("\(server.url)/cut") { $0.timeouts.idle = .milliseconds(20) }
                    case 1: _ = try await caller.get("\(server.url)/large")
                    case 2: _ = try await caller.get("\(server.url)/garbage")
                    case 3: _ = try await caller.get(dead.url)
                    case 4:
                        let call = caller.begin(try .to("\(server.url)/cut"))
                        await call.cancel()
                        _ = try await call.end()
                    default: _ = try await caller.get("\(server.url)/fine")
                    }
                }
                // The server also closes the ended connections, once it notices their end.
                try await server.waitForConnections(open: 1)
            }
            try await round(36)
            let before = try openDescriptors().count
            try await round(204)
            #expect(try openDescriptors().count <= before + 2)
        }
    }

    @Test func `sockets, files and the loop's own descriptors are closed on exec`() async {
        await #expect(processExitsWith: .success) {
            // Descriptors that other tests of the runner left open are excluded, by number and target: a number may be used again.
            let inherited = try descriptorTargets()
            let server = try ScriptedServer(answering: .ok(bytes: [UInt8](repeating: 1, count: 2 << 20)))
            let exchange = try await Caller().get(server.url)
            #expect(exchange.response != nil)
            var seen: Set<String> = []
            for (descriptor, target) in try descriptorTargets() where inherited[descriptor] != target {
                var (domain, size) = (Int32(0), socklen_t(4))
                let isSocket = getsockopt(descriptor, SOL_SOCKET, 39 /* SO_DOMAIN */, &domain, &size) == 0
                guard
                    isSocket && domain == AF_INET || target.contains("eventpoll") || target.contains("eventfd")
                        || target.contains("deleted")
                else { continue }
                seen.insert(isSocket ? "socket" : target.contains("deleted") ? "spool" : target)
                #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0, "\(target) is inherited by programs that are started")
            }
            #expect(seen.isSuperset(of: ["socket", "spool", "anon_inode:[eventpoll]", "anon_inode:[eventfd]"]))
        }
    }

    @Test func `a request without free file descriptors fails with the remedy, and a later one succeeds`() async {
        await #expect(processExitsWith: .success) {
            let server = try ScriptedServer(answering: .ok("fine"))
            let caller = try Caller()
            // The first timer, here that of the deadline, makes the runtime open descriptors, which later timers need.
            try await withDeadline(.seconds(300), "the descriptors of timers") {
                while try !descriptorTargets().values.contains("anon_inode:[timerfd]") { await Task.yield() }
            }
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(7 /* RLIMIT_NOFILE */), &limit)
            limit.rlim_cur = min(limit.rlim_cur, 256)
            setrlimit(__rlimit_resource_t(7 /* RLIMIT_NOFILE */), &limit)
            var taken: [Int32] = []
            while case let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC), descriptor >= 0 { taken.append(descriptor) }
            let error = try await caller.get(server.url).error
            #expect(error?.code == .internalFailure)
            #expect(error?.hint?.contains("ulimit -n") == true)
            for descriptor in taken { close(descriptor) }
            // The engine notices within its next pass that it can work.
            try await withDeadline(.seconds(300), "a request to succeed") {
                while try await caller.get(server.url).text != "fine" { try Task.checkCancellation() }
            }
        }
    }

    @Test func `proxies of the environment are ignored`() async {
        await #expect(processExitsWith: .success) {
            for name in ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "ALL_PROXY"] {
                setenv(name, "http://127.0.0.1:1", 1)
            }
            let server = try ScriptedServer(answering: .ok("direct"))
            #expect(try await Caller().get(server.url).text == "direct")
            #expect(server.requests.first?.target == "/")
        }
    }

    @Test func `an idle engine does not wake up`() async {
        await #expect(processExitsWith: .success) {
            let gate = Gate()
            let server = try ScriptedServer([
                Script([.readRequest, .send(HTTPAnswer.ok("done")), .readRequest, .wait(for: gate), .send(HTTPAnswer.ok("late"))])
            ])
            let caller = try Caller()
            #expect(try await caller.get(server.url).text == "done")
            #expect(try await engineIsQuiet(), "an idle connection keeps the engine busy")
            let call = caller.begin(try .to(server.url))
            try await gate.waitUntilReached()
            #expect(try await engineIsQuiet(), "a request that waits for its answer keeps the engine busy")
            gate.open()
            #expect(try await call.end().end?.text == "late")
            server.stop()
            #expect(try await engineIsQuiet(), "a connection that the server closed keeps the engine busy")
        }
    }

    @Test func `an engine that is shut down ends all calls of all clients and rejects new ones`() async {
        await #expect(processExitsWith: .success) {
            let gate = Gate()
            let server = try ScriptedServer([.readRequest, .wait(for: gate), .holdOpen])
            let (first, second) = (try Caller(), try Caller())
            let calls = [first.begin(try .to(server.url)), second.begin(try .to(server.url))]
            try await gate.waitUntilReached(2)
            await withCheckedContinuation { ended in Client.shutDownEngine { ended.resume() } }
            for call in calls { #expect(try await call.end().end?.error?.code == .shutDown) }
            #expect(try await first.get(server.url).error?.code == .shutDown)
            await withCheckedContinuation { ended in Client.shutDownEngine { ended.resume() } }
            gate.open()
        }
    }

    @Test func `a full disk is a storage error that keeps the written bytes`() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 3 << 20, rlim_max: 3 << 20)
            setrlimit(__rlimit_resource_t(1 /* RLIMIT_FSIZE */), &limit)
            let server = try ScriptedServer { request in
                .ok(bytes: [UInt8](repeating: 1, count: request.target == "/small" ? 2 << 20 : 24 << 20))
            }
            let caller = try Caller()
            let exchange = try await caller.get(server.url)
            #expect(exchange.error?.code == .storage)
            #expect(exchange.response?.truncation != nil)
            #expect((1...(3 << 20)).contains(exchange.response?.body.count ?? 0))
            #expect(try await caller.get("\(server.url)/small").response?.body.count == 2 << 20)
        }
    }
}

/// The numbers of this process's open descriptors.
private func openDescriptors() throws -> [Int32] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
}

/// The targets of this process's open descriptors, such as `socket:[1234]`, without the descriptor with which they are listed.
private func descriptorTargets() throws -> [Int32: String] {
    var targets: [Int32: String] = [:]
    for descriptor in try openDescriptors() {
        targets[descriptor] = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
    }
    return targets
}

/// Whether the engine's thread sleeps for 200 ms in one of several attempts, because earlier work has to end first.
private func engineIsQuiet() async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
        let before = try engineSwitches()
        try await Task.sleep(for: .milliseconds(200))
        if try engineSwitches() == before { return true }
    }
    return false
}

/// The number of times the engine's thread has gone to sleep.
private func engineSwitches() throws -> Int {
    for task in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task") {
        let folder = "/proc/self/task/\(task)"
        guard let name = try? String(contentsOfFile: "\(folder)/comm", encoding: .utf8), name.hasPrefix("sortie-engine") else {
            continue
        }
        let status = try String(contentsOfFile: "\(folder)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") })
        return try #require(Int(line.split(separator: "\t").last ?? ""))
    }
    throw NetworkError(.internalFailure, "the process has no engine")
}
