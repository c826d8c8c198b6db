import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the display of the time in a request queue and the duration of a call.
@Suite struct QueueTests {
    private let reason = "transfers, resources and background calls together may use 3 of the 4 connections of the service, all in use"

    @Test(arguments: [Size(width: 80, height: 24), Size(width: 200, height: 50)])
    func `a call in the queue of its service displays this and the reason`(size: Size) {
        var state = AppState.sample(size: size)
        state.open("shop/orders/list")
        let id = state.sendOpen()
        _ = state.update(.call(id, .changed(.queued(because: reason))))
        #expect(state.screen.contains("queued"))
        #expect(state.screen.contains("In the queue of the service: transfers"))
        #expect(state.screen.contains("counts towards the total"))
        _ = state.update(.call(id, .changed(.sending)))
        #expect(!state.screen.contains("In the queue of the service"))
        #expect(state.screen.contains("sending"))
    }

    @Test func `a call with a timeout has its duration in the title`() {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.open("shop/orders/list")
        let id = state.sendOpen()
        var exchange = Exchange.sample(error: NetworkError(.timedOut, "no complete response within 2 s"))
        exchange.attempts[0].timing = Timing()
        exchange.attempts[0].timing.total = 0.001
        exchange.duration = 2.0
        _ = state.update(.call(id, .finished(exchange)))
        #expect(state.screen.contains("timed out · 2.0 s"))
    }

    @Test func `Timing displays the queue, and the duration of the call with all of its attempts`() {
        var exchange = Exchange.sample()
        exchange.attempts[0].timing.queued = 3
        exchange.duration = 7.5
        exchange.attempts.append(exchange.attempts[0])
        let lines = TimingLines(exchange: exchange, width: 80).lines.map(\.text)
        #expect(lines.first?.hasPrefix("Queued") == true)
        #expect(lines.contains { $0.hasPrefix("Whole call") && $0.contains("7.5 s") })
    }

    @Test func `a download in the queue of its service displays this`() {
        var state = AppState.sample()
        state.open("shop/big")
        let id = state.downloadOpen()
        _ = state.update(.download(id, .changed(.requesting(offset: 0))))
        _ = state.update(.download(id, .changed(.queued(because: reason))))
        #expect(QueuedCall(state.calls[id])?.stateText(state).text == "queued: \(reason)")
    }
}
