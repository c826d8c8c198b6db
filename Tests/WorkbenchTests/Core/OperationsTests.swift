import Foundation
import HistoryModel
import SortieHTTP
import Support
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the table of calls: registration, the latest calls of endpoints, and removal.
@Suite struct OperationsTests {
    private static let endpoint = Endpoint(target: "shop/list", name: "List", path: "/")
    private static let file = Endpoint(target: "shop/file", name: "File", path: "/file")

    private static func item(_ number: Int64, target: String? = "shop/list") -> HistoryItem {
        HistoryItem(
            number: number, id: RequestID(high: 0, low: UInt64(number)), startedAt: Date(timeIntervalSince1970: 0), target: target,
            url: "http://127.0.0.1/list", status: 200)
    }

    private static func parked(isOut: Bool) -> ParkedRequest {
        ParkedRequest(
            id: "left", endpoint: endpoint, environment: nil, since: Date(timeIntervalSince1970: 0), expires: Date(timeIntervalSince1970: 60),
            reason: "the network was down", isOut: isOut)
    }

    private static let notice = ParkingNotice(
        reason: "refused", since: Date(timeIntervalSince1970: 0), expires: Date(timeIntervalSince1970: 60))

    private static func transfer(_ endpoint: Endpoint = file) -> QueuedTransfer {
        QueuedTransfer(endpoint, environment: nil, destination: "/downloads/")
    }

    /// An exchange whose body is large enough for a row of the transfers tab.
    private static var large: Exchange { .sample(String(repeating: "x", count: 300_000)) }

    @Test func `calls, transfers, parked requests and replays of all kinds get different IDs in one table`() {
        var calls = Operations()
        let sent = calls.begin(Self.endpoint)
        let queued = calls.begin(Self.file)
        _ = calls.enqueue(queued, Self.transfer())
        calls.takeUp(Self.transfer(Endpoint(target: "shop/other", name: "Other", path: "/other")))
        let left = calls.takeUp(Self.parked(isOut: true))
        let replay = calls.begin(replaying: Self.item(1, target: nil))
        let batch = calls.beginBatch([Self.item(2), Self.item(3)])
        let ids = [sent, queued, left, replay] + batch + calls.transfers.map(\.id)
        #expect(Set(ids).count == 7)
        #expect(ids.allSatisfy { calls[$0]?.id == $0 })
        #expect(calls.inFlight.map(\.id) == [sent, replay])
        #expect(calls.transfers.map(\.command) == [.wait, .pause] && calls.transfers.map(\.transfer.isUnfinished) == [false, true])
        #expect(calls.parked.map(\.id) == [left])
        #expect(calls.latest == ["shop/list": sent, "shop/file": queued])
    }

    @Test func `a replay without an endpoint has the exchange, its URL as the name, and no endpoint`() {
        var calls = Operations()
        let id = calls.begin(replaying: Self.item(7, target: nil))
        #expect(calls[id]?.replayed?.number == 7)
        #expect(calls[id]?.endpoint == nil && calls[id]?.call.source == "http://127.0.0.1/list")
        #expect(calls.key(of: id) == .call(id))
    }

    @Test func `a replay in a batch has the name of its endpoint and is not its latest call`() {
        var calls = Operations()
        let sent = calls.begin(Self.endpoint)
        let id = calls.beginBatch([Self.item(1)])[0]
        #expect(calls[id]?.call.source == "shop/list" && calls[id]?.call.name == "shop/list")
        #expect(calls["shop/list"]?.id == sent && !calls.isLatest(id) && calls.isViewable(id))
    }

    @Test func `a replay of an endpoint is its latest call until the endpoint is sent again`() {
        var calls = Operations()
        let replay = calls.begin(Self.endpoint, replaying: Self.item(1))
        #expect(calls.isLatest(replay) && calls[replay]?.replayed?.number == 1)
        calls.receive(.parked(Self.notice), of: replay)
        _ = calls.begin(Self.endpoint)
        #expect(calls.isParked(replay) && !calls.isViewable(replay))
    }

    @Test func `a call in flight is removed when its endpoint is sent again, and its events are dropped`() {
        var calls = Operations()
        let first = calls.begin(Self.endpoint)
        let second = calls.begin(Self.endpoint)
        #expect(calls[first] == nil && !calls.accepts(first))
        calls.receive(.finished(.sample()), of: first)
        #expect(calls["shop/list"]?.id == second && calls["shop/list"]?.isInFlight == true)
    }

    @Test func `a parked request stays when its endpoint is sent again, and is removed at its end`() {
        var calls = Operations()
        let parked = calls.begin(Self.endpoint)
        calls.receive(.parked(Self.notice), of: parked)
        let second = calls.begin(Self.endpoint)
        #expect(calls.isWaiting(parked) && calls["shop/list"]?.id == second)
        calls.receive(.finished(.sample()), of: parked)
        #expect(calls[parked] == nil && calls.parked.isEmpty)
    }

    @Test func `an ended call stays while it is the latest one of its endpoint`() {
        var calls = Operations()
        let first = calls.begin(Self.endpoint)
        calls.receive(.finished(.sample()), of: first)
        #expect(calls[first]?.isEnded == true && !calls.accepts(first))
        _ = calls.begin(Self.endpoint)
        #expect(calls[first] == nil)
    }

    @Test func `an ended call with a large body stays on the transfers tab without the body when its endpoint is sent again`() {
        var calls = Operations()
        let first = calls.begin(Self.endpoint)
        calls.receive(.finished(Self.large), of: first)
        calls.change(first) { $0.call.grow(to: Self.large.response?.body ?? BodyBytes([]), isFinal: true, mode: nil) }
        #expect(calls[first]?.call.body != nil)
        _ = calls.begin(Self.endpoint)
        #expect(calls.transferRows.map(\.id) == [first])
        #expect(calls[first]?.call.body == nil && calls[first]?.call.exchange?.response?.body.count == 0)
        #expect(calls[first]?.call.progress.received == 300_000)
    }

    @Test func `the oldest ended calls with large bodies are removed beyond the limit`() {
        var calls = Operations()
        let ids = (0...TransferOrder.endedLimit).map { _ in
            let id = calls.begin(Self.endpoint)
            calls.receive(.finished(Self.large), of: id)
            return id
        }
        #expect(calls.transferRows.map(\.id) == ids.dropFirst().reversed())
        #expect(calls[ids[0]] == nil)
    }

    @Test func `a replay without an endpoint stays at its end while it is shown`() {
        var calls = Operations()
        let shown = calls.begin(replaying: Self.item(1, target: nil))
        let other = calls.begin(replaying: Self.item(2, target: nil))
        calls.show(shown)
        calls.receive(.finished(.sample()), of: shown)
        calls.receive(.finished(.sample()), of: other)
        #expect(calls[shown] != nil && calls[other] == nil)
        calls.show(nil)
        #expect(calls.isEmpty)
    }

    @Test func `a batch ends with its last replay, also with one that was not sent`() {
        var calls = Operations()
        let ids = calls.beginBatch([Self.item(1), Self.item(2)])
        #expect(calls.inFlightCount == 0 && calls.wantsTicks)
        #expect(calls.start(ids[0]) && !calls.start(ids[0]))
        #expect(calls.inFlightCount == 1)
        calls.receive(.finished(.sample()), of: ids[0])
        #expect(calls.endBatch() == nil)
        #expect(calls.cancelBatch() == [ids[1]])
        calls.failToStart(ids[1], Diagnostic(SourceLocation(file: "a.yaml"), "missing"))
        #expect(calls.endBatch()?.text == "2 replayed, 1 with the same status, 1 without a response")
        #expect(calls.isEmpty && !calls.wantsTicks)
    }

    @Test func `a request of an earlier session that fails to start stays with its reason`() {
        var calls = Operations()
        let id = calls.takeUp(Self.parked(isOut: false))
        calls.failToStart(id, Diagnostic(SourceLocation(file: "a.yaml"), "missing"))
        #expect(calls[id]?.parking?.reason.hasPrefix("not sent: missing") == true)
        #expect(calls.accepts(id))
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64]) func `random events leave no entry that no pane shows`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var calls = Operations()
        var known: [CallID] = []
        let endpoints = (0..<4).map { Endpoint(target: "shop/\($0)", name: "\($0)", path: "/\($0)") }
        for step in 0..<300 {
            let endpoint = endpoints[Int.random(in: 0..<4, using: &random)]
            let id = known.randomElement(using: &random)
            switch (Int.random(in: 0..<12, using: &random), id) {
            case (0, _), (1, nil): known.append(calls.begin(endpoint))
            case (1, _): known.append(calls.begin(replaying: Self.item(Int64(step), target: nil)))
            case (2, _):
                let id = calls.begin(endpoint)
                _ = calls.enqueue(id, Self.transfer(endpoint))
                known.append(id)
            case (3, _): known.append(calls.takeUp(Self.parked(isOut: false)))
            case (4, _): known += calls.startTransfers().map(\.id)
            case (5, let id?): calls.show(id)
            case (5, nil): calls.show(nil)
            case (6, let id?): calls.receive(.parked(Self.notice), of: id)
            case (7, let id?): calls.receive(.finished(step.isMultiple(of: 3) ? Self.large : .sample()), of: id)
            case (8, let id?): calls.end(id, .done)
            case (9, let id?): calls.failToStart(id, Diagnostic(SourceLocation(file: "a.yaml"), "missing"))
            case (10, let id?): _ = calls.cancel(id)
            default: calls.tick(Double(step))
            }
            let rows = Set(calls.transferRows.map(\.id)).union(calls.parked.map(\.id)).union(calls.inFlight.map(\.id))
            let lost = known.filter { calls[$0] != nil && !rows.contains($0) && !calls.isLatest($0) && calls.shown != $0 }
            #expect(lost.isEmpty, "seed \(seed), step \(step): \(lost) are in no pane")
            // Some of the removed ones stay, because late events are for these.
            if known.count > 60 { known.removeAll { calls[$0] == nil } }
            #expect(calls.latest.values.allSatisfy { calls[$0] != nil }, "seed \(seed), step \(step)")
            #expect(calls.transfers.count == calls.queue.active.count, "seed \(seed), step \(step)")
        }
    }
}
