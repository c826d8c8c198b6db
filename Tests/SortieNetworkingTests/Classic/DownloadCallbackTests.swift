import SortieClassic
import Support
import Testing

@testable import SortieNetworking

/// Tests closures and delegate of downloads (S2.22–S2.25).
@Suite(.fewAtOnce)
struct DownloadCallbackTests {
    private static let file = ServedFile(300_000)

    private func end(of running: DownloadTask) async throws -> DownloadResult {
        try await withDeadline(.seconds(300), "the download to end") { await running.result }
    }

    @Test func `S2.22 S2.24 a download reports start, progress, pause and end to its closures, then to its delegate`() async throws {
        let bench = try DownloadBench()
        let server = try ScriptedServer([
            Script(.readRequest, .send(Self.file.whole.headBytes), .send(Array(Self.file.bytes.prefix(200_000))), .expectClose), Self.file.honest,
        ])
        let listener = LifecycleListener()
        let running = bench.downloads.start(try bench.download(server.url), callbacks: listener.callbacks("closure "), delegate: listener)
        try await listener.wait(for: "delegate progress")
        running.pause()
        try await listener.wait(for: "delegate didSuspend")
        running.resume()
        #expect(try await end(of: running).state == .done)
        let heard = listener.heard.current
        #expect(
            heard.filter { !$0.hasSuffix("progress") } == [
                "closure willStart", "delegate willStart", "closure willSuspend", "delegate willSuspend", "closure didSuspend", "delegate didSuspend",
                "closure willStart", "delegate willStart", "closure willStop", "delegate willStop", "closure success", "delegate success",
                "closure didStop", "delegate didStop",
            ])
        let suspended = try #require(heard.firstIndex(of: "delegate didSuspend"))
        #expect(heard[suspended + 1] == "closure willStart", "there is no progress while the download is paused")
        let progress = try #require(heard.firstIndex(of: "closure progress"))
        #expect(heard[progress + 1] == "delegate progress")
    }

    @Test func `S2.25 a cancelled download fails as cancelled, once`() async throws {
        let bench = try DownloadBench()
        let gate = Gate()
        let server = try ScriptedServer(Script(.readRequest, .wait(for: gate)))
        let listener = LifecycleListener()
        let running = bench.downloads.start(try bench.download(server.url), delegate: listener)
        try await gate.waitUntilReached()
        running.cancel()
        running.cancel()
        #expect(try await end(of: running).error?.code == .cancelled)
        #expect(listener.heard.current == ["delegate willStart", "delegate willStop", "delegate failure cancelled", "delegate didStop"])
        gate.open()
    }

    private actor Screen {
        var shown: [String] = []
        func show(_ state: TransferState) { shown.append(state.text) }
    }

    @Test func `S0.18 the closures of a download are called on the specified actor, and released at its end`() async throws {
        let bench = try DownloadBench()
        let server = try ScriptedServer(Self.file.honest)
        let screen = Screen()
        var listener: LifecycleListener? = LifecycleListener()
        weak let held = listener
        var callbacks: DownloadCallbacks = try #require(listener).callbacks()
        callbacks.success = { result in screen.assumeIsolated { $0.show(result.state) } }
        let running = bench.downloads.start(try bench.download(server.url), callbacks: callbacks, on: screen)
        callbacks = DownloadCallbacks()
        listener = nil
        #expect(try await end(of: running).state == .done)
        #expect(await screen.shown == ["done"])
        #expect(held == nil)
    }
}
