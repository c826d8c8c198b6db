import Foundation
import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the display of requests that wait for the network (S3.16).
@Suite struct ParkedTests {
    private let notice = ParkingNotice(reason: "127.0.0.1:9 refused the connection", since: Date(), expires: Date(timeIntervalSinceNow: 60))

    private var out: ParkingNotice {
        var out = notice
        out.isOut = true
        return out
    }

    private func left(_ target: String, isOut: Bool = false) -> ParkedRequest {
        ParkedRequest(
            id: target, endpoint: Endpoint(target: target, name: "Left \(target)", method: .post, path: "/"), environment: nil, since: Date(),
            expires: Date(timeIntervalSinceNow: 60), reason: "the network was down", isOut: isOut)
    }

    /// The sample with the open endpoint waiting.
    private func waiting() -> (AppState, CallID) {
        var state = AppState.sample(size: Size(width: 200, height: 50))
        state.open("shop/orders/create")
        let id = state.sendOpen()
        _ = state.update(.call(id, .parked(notice)))
        return (state, id)
    }

    @Test func `a waiting request is displayed in Response, in Runs and in the footer, and does not count as in flight`() {
        var (state, _) = waiting()
        #expect(state.screen.contains("Waits for the network: 127.0.0.1:9 refused the connection"))
        #expect(state.callsInFlight == 0)
        state.toast = nil
        #expect(state.screen.contains("· 1 waiting "))
        state.press("R")
        #expect(state.screen.contains("⏸"))
        #expect(state.screen.contains("waits for the network  127.0.0.1:9 refused"))
    }

    @Test func `sending the endpoint again does not affect the waiting request`() {
        var (state, id) = waiting()
        let effects = state.press("^R")
        #expect(!effects.contains(.cancel(id)))
        #expect(state.calls.parked.map(\.id) == [id])
    }

    @Test func `the response of a waiting request is reported when another call of the endpoint is in the pane`() {
        var (state, id) = waiting()
        _ = state.press("^R")
        _ = state.update(.call(id, .parked(out)))
        #expect(state.calls.parked.first?.parking?.phase == .out)
        _ = state.update(.call(id, .finished(.sample("", status: 201))))
        #expect(state.calls.parked.isEmpty)
        #expect(state.screen.contains("after waiting: 201"))
        state.press("L")
        let lines = state.screen.split(separator: "\n").filter { $0.contains("POST  shop/orders/create") || $0.contains("POST shop/orders/create") }
        #expect(lines.count == 2)
        #expect(lines.count { $0.contains("in flight") } == 1, "the older one has its end in the log")
    }

    @Test(arguments: [true, false])
    func `the response of a waiting request is reported where another endpoint is open`(isOther: Bool) {
        var (state, id) = waiting()
        if isOther { state.open("shop/orders/list") }
        state.toast = nil
        _ = state.update(.call(id, .parked(out)))
        _ = state.update(.call(id, .finished(.sample("", status: 201))))
        #expect(state.screen.contains("after waiting: 201") == isOther, "\(state.screen)")
    }

    @Test func `x in Runs cancels the waiting request, r retries it immediately`() {
        var (state, id) = waiting()
        state.press("R", "G")
        #expect(state.press("r") == [.tryParked])
        #expect(state.press("x") == [.cancel(id)])
        #expect(state.screen.contains("cancelling"))
    }

    @Test func `waiting requests of an earlier program are sent in order`() {
        var state = AppState.sample()
        let effects = state.start(parked: [left("a/one"), left("a/two")])
        guard case .sendParked(let sendings)? = effects.first else {
            Issue.record("\(effects)")
            return
        }
        #expect(sendings.map(\.request.id) == ["a/one", "a/two"])
        state.press("R")
        #expect(state.screen.contains("Left a/one") && state.screen.contains("Left a/two"))
    }

    @Test(arguments: [false, true]) func `the endpoint of a request that an earlier program left shows it and its response`(isOut: Bool) {
        var state = AppState.sample(size: Size(width: 200, height: 50))
        let effects = state.start(parked: [left("shop/orders/create", isOut: isOut)])
        state.open("shop/orders/create")
        if isOut {
            #expect(state.screen.contains("Nothing was sent yet"))
            state.press("R", "G", "r")
        } else {
            guard case .sendParked? = effects.first else {
                Issue.record("\(effects)")
                return
            }
        }
        #expect(state.screen.contains("Waits for the network: the network was down"))
        guard let id = state.calls.parked.first?.id else { return }
        _ = state.update(.call(id, .parked(out)))
        _ = state.update(.call(id, .finished(.sample("stored", status: 201))))
        #expect(state.screen.contains("201") && state.screen.contains("stored"))
        #expect(!state.screen.contains("Nothing was sent yet"))
    }

    @Test func `a request in progress at the end of the program waits for the user`() {
        var state = AppState.sample(size: Size(width: 200, height: 50))
        #expect(state.start(parked: [left("a/one", isOut: true)]).allSatisfy { $0.request != nil })
        state.press("R")
        #expect(state.screen.contains("may have arrived: the program ended while it was being sent. r sends it again, x removes it"))
        state.press("G")
        guard case .sendParked(let sendings)? = state.press("r").first else {
            Issue.record("nothing is sent")
            return
        }
        #expect(sendings.map(\.request.id) == ["a/one"])
    }

    @Test func `a request that was in progress can be deleted`() {
        var state = AppState.sample()
        _ = state.start(parked: [left("a/one", isOut: true)])
        state.press("R", "G")
        #expect(state.press("x") == [.dropParked("a/one")])
        #expect(state.calls.parked.isEmpty)
    }
}
