import Support
import Synchronization
import Testing

@testable import SortieNetworking

/// Tests changes of the network: several in a row count as one, and only a change that brings the network back starts requests.
@Suite(.fewAtOnce) struct ReachabilityTests {
    private let network = FakeNetwork(quiet: .milliseconds(100), patience: .milliseconds(400))
    private let changes = Watched<[Reachability.Change]>([])

    private func observe(_ network: FakeNetwork) -> Reachability.Observation {
        network.reachability.observe { [changes] change in changes.change { $0.append(change) } }
    }

    private func wait(for count: Int) async throws {
        try await changes.wait("\(count) changes", within: .seconds(300), describe: { "\($0)" }) { $0.count >= count ? () : nil }
    }

    /// Makes changes that follow each other within the time that ends a series of changes, and returns when they are reported, and none is left.
    private func inOneQuietPeriod(_ change: (FakeNetwork) -> Void) async throws {
        try await growing(from: .milliseconds(250)) { quiet -> Void? in
            changes.change { $0 = [] }
            let network = FakeNetwork(quiet: quiet, patience: quiet * 4)
            let observation = observe(network)
            defer { network.reachability.end(observation) }
            let began = ContinuousClock.now
            change(network)
            guard began.duration(to: .now) < quiet else { return nil }
            try await wait(for: 1)
            network.reachability.refresh()
            return ()
        }
    }

    @Test func `twelve changes of addresses in a row are reported once`() async throws {
        try await inOneQuietPeriod { calm in
            for _ in 0..<12 {
                calm.change()
                calm.reachability.notice()
            }
        }
        #expect(changes.current.map(\.hasOtherAddresses) == [true])
        #expect(changes.current.map(\.cameOnline) == [false])
    }

    @Test func `messages of the kernel without a change are not reported`() async throws {
        try await inOneQuietPeriod { calm in
            for _ in 0..<12 { calm.reachability.notice() }
            calm.set(.offline)
            calm.reachability.notice()
            calm.set(.online)
            calm.reachability.notice()
        }
        #expect(changes.current.count == 1)
        #expect(changes.current[0].cameOnline, "a short interruption is one, because requests may have failed in it")
        #expect(!changes.current[0].hasOtherAddresses)
    }

    @Test func `endless changes are reported nevertheless`() async throws {
        let observation = observe(network)
        let isDone = Atomic<Bool>(false)
        let changing = Task { [network] in
            while !isDone.load(ordering: .relaxed) {
                network.change()
                network.reachability.notice()
                await Task.yield()
            }
        }
        try await wait(for: 2)
        isDone.store(true, ordering: .relaxed)
        await changing.value
        network.reachability.end(observation)
    }

    @Test func `the status is known immediately, before it is reported`() {
        network.set(.offline)
        network.reachability.notice()
        #expect(network.reachability.status == .offline)
    }

    @Test(arguments: [
        ("wlan0/wireless/status", NetworkKind.wireless), ("wlp3s0/phy80211/name", .wireless), ("eth0/device/vendor", .wired), ("tun0/flags", .other),
    ])
    func `S3.1 the kind of an interface follows from the files that describe it`(_ file: String, _ kind: NetworkKind) throws {
        let folder = try TemporaryFolder()
        try folder.write("net/" + file, "")
        #expect(NetworkKind(ofInterface: String(file.prefix { $0 != "/" }), in: folder.path("net")) == kind)
    }

    @Test func `S3.1 a modem is a cellular interface, which also has a device`() throws {
        let folder = try TemporaryFolder()
        try folder.write("wwan0/device/vendor", "")
        try folder.write("wwan0/uevent", "DEVTYPE=wwan\nINTERFACE=wwan0\n")
        #expect(NetworkKind(ofInterface: "wwan0", in: folder.path) == .cellular)
    }

    @Test func `S3.1 a change from a cable to Wi-Fi is reported with the kinds`() {
        let reading = Watched(Reachability.Reading(status: .online, addresses: ["a"], kinds: [.wired]))
        let reachability = Reachability { reading.current }
        let changes = Watched<[Set<NetworkKind>]>([])
        let observation = reachability.observe { change in changes.change { $0.append(change.kinds) } }
        defer { reachability.end(observation) }
        #expect(reachability.kinds == [.wired])
        reading.change { $0.kinds = [.wireless] }
        reachability.refresh()
        #expect(reachability.kinds == [.wireless] && changes.current == [[.wireless]])
    }

    @Test func `the changes of the network can be iterated`() async throws {
        let reading = Watched(Reachability.Reading(status: .online, addresses: ["a"], kinds: [.wired]))
        let reachability = Reachability { reading.current }
        let changes = reachability.changes()
        reading.change { $0.kinds = [.wireless] }
        reachability.refresh()
        let first = try await withDeadline(.seconds(300), "a change") { await changes.first { _ in true } }
        #expect(first?.kinds == [.wireless] && first?.status == .online)
    }

    // MARK: Downloads

    private static let file = ServedFile(50_000)

    @Test func `the interfaces are read for a download, and not for a client without one`() async throws {
        let uses = Watched(0)
        let bench = try DownloadBench(reachability: { [reachability = network.reachability] in
            uses.change { $0 += 1 }
            return reachability
        })
        #expect(uses.current == 0)
        let server = try ScriptedServer([Self.file.honest])
        #expect(await bench.downloads.start(try bench.download(server.url)).result.error == nil)
        #expect(uses.current == 1)
    }

    @Test func `a restored network ends the delay of a download, and that attempt does not count`() async throws {
        let bench = try DownloadBench(reachability: { [reachability = network.reachability] in reachability })
        // Six failures without a byte: more than the limit.
        let empty = Script(.readRequest, .closeGracefully)
        let server = try ScriptedServer([Self.file.broken(after: 1000)] + Array(repeating: empty, count: 6) + [Self.file.honest])
        let running = bench.downloads.start(
            try bench.download(server.url) {
                $0.retryLimit = 2
                $0.retryPause = .seconds(3600)
            })
        for await event in running.events {
            guard case .changed(.waiting) = event else { continue }
            network.set(.offline)
            network.reachability.refresh()
            network.set(.online)
            network.reachability.refresh()
        }
        #expect(await running.result.error == nil)
        #expect(server.requests.count == 8)
    }

    @Test func `other addresses do not end the delay of a download`() async throws {
        let bench = try DownloadBench(reachability: { [reachability = network.reachability] in reachability })
        let server = try ScriptedServer([Self.file.broken(after: 1000), Self.file.honest])
        let running = bench.downloads.start(try bench.download(server.url) { $0.retryPause = .seconds(3600) })
        for await event in running.events {
            guard case .changed(.waiting) = event else { continue }
            for _ in 0..<12 {
                network.change()
                network.reachability.refresh()
            }
            running.cancel()
        }
        #expect(await running.result.state == .cancelled(keepsPart: true))
        #expect(server.requests.count == 1)
    }
}
