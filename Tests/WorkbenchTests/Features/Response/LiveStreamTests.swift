import BodyViews
import SortieBase
import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the display of messages that arrive one after the other.
@Suite struct LiveStreamTests {
    /// A state whose open endpoint receives a stream, and its call.
    private func receiving(_ type: String = "application/x-ndjson", headers: [HeaderField] = []) -> (AppState, CallID) {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.open("shop/orders/list")
        let call = state.sendOpen()
        let fields = Headers([HeaderField("Content-Type", type)] + headers)
        _ = state.update(.call(call, .responded(Response(status: 200, reason: "OK", headers: fields))))
        state.focus(.response)
        return (state, call)
    }

    /// Extends the body, and performs the effects of its index.
    private func arrive(_ text: String, _ call: CallID, _ state: inout AppState) {
        settle(&state, state.update(.call(call, .grew(BodyBytes(Array(text.utf8))))))
    }

    private func settle(_ state: inout AppState, _ effects: [Effect]) {
        var waiting = effects
        while !waiting.isEmpty {
            guard case .index(let id, var view) = waiting.removeFirst() else { continue }
            view.advance(budget: 1 << 20)
            waiting += state.update(.indexed(id, view))
        }
    }

    private func end(_ text: String, _ call: CallID, _ state: inout AppState, headers: [HeaderField] = []) {
        var exchange = Exchange.sample(text, contentType: "application/x-ndjson")
        for field in headers { exchange.response?.headers.append(field.name, field.value) }
        settle(&state, state.update(.call(call, .finished(exchange))))
    }

    private func lines(_ count: Int) -> String { (1...count).map { #"{"n":\#($0)}"# + "\n" }.joined() }

    @Test func `messages are displayed and counted while they arrive, the last one at the end`() {
        var (state, call) = receiving()
        arrive(lines(3), call, &state)
        #expect(state.screen.contains("3 messages · live") && state.screen.contains(#""n": 3"#))
        arrive(lines(1284), call, &state)
        #expect(state.screen.contains("1,284 messages · live") && state.screen.contains(#""n": 1284"#))
        #expect(!state.screen.contains(#""n": 3,"#))
        end(lines(1284), call, &state)
        #expect(state.screen.contains("1,284 messages") && !state.screen.contains("live") && state.screen.contains(#""n": 1284"#))
    }

    @Test(arguments: [Endpoint.Kind.events, .data])
    func `a response to an endpoint of events that is no stream is marked with its type`(kind: Endpoint.Kind) throws {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        let index = try #require(state.workspace.services[0].endpoints.firstIndex { $0.target == "shop/orders/list" })
        state.workspace.services[0].endpoints[index].kind = kind
        state.open("shop/orders/list")
        let call = state.sendOpen()
        settle(&state, state.update(.call(call, .finished(Exchange.sample(#"{"id": 7}"#, contentType: "application/json")))))
        #expect(state.screen.contains("no stream of events: its type is application/json") == (kind == .events), "\(state.screen)")
    }

    @Test(arguments: ["Space", "p"]) func `the display is paused, not the transfer, and the new messages are counted`(key: String) {
        var (state, call) = receiving()
        arrive(lines(20), call, &state)
        #expect(state.press(key) == [])
        arrive(lines(55), call, &state)
        #expect(state.screen.contains("paused · 35 new · 55 messages") && state.screen.contains(#""n": 20"#))
        #expect(!state.screen.contains(#""n": 55"#))
        settle(&state, state.press(key))
        #expect(state.screen.contains("55 messages · live") && state.screen.contains(#""n": 55"#))
    }

    /// Extends the body, and performs all effects that read it.
    private func arriveAndFilter(_ text: String, _ call: CallID, _ state: inout AppState) {
        state.settle(state.update(.call(call, .grew(BodyBytes(Array(text.utf8))))))
    }

    @Test func `a filter is applied to the messages that arrive later, and the last result is followed`() {
        var (state, call) = receiving()
        arriveAndFilter(lines(3), call, &state)
        state.press("f")
        state.settle(state.type("select(.n % 2 == 1)"))
        state.settle(state.press("Enter"))
        #expect(state.screen.contains("2 results so far"))
        // The last message is not whole.
        arriveAndFilter(lines(200) + #"{"n":201,"#, call, &state)
        #expect(state.screen.contains("100 results so far") && state.screen.contains(#""n": 199"#) && !state.screen.contains("201"))
        let row = state.responseState.row
        arriveAndFilter(lines(200) + #"{"n":201,"m":1}"#, call, &state)
        #expect(state.screen.contains("101 results so far") && state.responseState.row > row)
        let whole = lines(200) + #"{"n":201,"m":1}"#
        state.settle(state.update(.call(call, .finished(.sample(whole, contentType: "application/x-ndjson")))))
        #expect(state.screen.contains("101 results") && !state.screen.contains("so far") && state.screen.contains(#""n": 201"#))
    }

    @Test func `the filter of an endpoint is applied to the messages of its next stream`() {
        var (state, call) = receiving()
        arriveAndFilter(lines(3), call, &state)
        state.press("f")
        state.settle(state.type(".n"))
        state.settle(state.press("Enter"))
        state.settle(state.update(.call(call, .finished(.sample(lines(3), contentType: "application/x-ndjson")))))
        let next = state.sendOpen()
        let head = Response(status: 200, reason: "OK", headers: [HeaderField("Content-Type", "application/x-ndjson")])
        _ = state.update(.call(next, .responded(head)))
        arriveAndFilter(lines(2), next, &state)
        #expect(state.screen.contains("2 results so far"))
        arriveAndFilter(lines(5), next, &state)
        #expect(state.screen.contains("5 results so far"))
    }

    @Test func `a body that is recognized as a stream by its second line is filtered from then on`() {
        var (state, call) = receiving("application/json")
        arriveAndFilter(lines(1), call, &state)
        state.press("f")
        state.settle(state.type(".n"))
        #expect(state.screen.contains("1 result"))
        arriveAndFilter(lines(7), call, &state)
        #expect(state.screen.contains("7 results so far"))
    }

    @Test func `the body of a retry is filtered from its start`() {
        var (state, call) = receiving()
        arriveAndFilter(lines(50), call, &state)
        state.press("f")
        state.settle(state.type(".n"))
        arriveAndFilter(lines(2), call, &state)
        #expect(state.screen.contains("2 results so far") && state.responseState.filter?.results?.bytes.count == 4)
        arriveAndFilter(lines(3), call, &state)
        #expect(state.screen.contains("3 results so far"))
    }

    @Test func `a stream that grows does not stop the filter of another endpoint`() {
        var (state, call) = receiving()
        arriveAndFilter(lines(3), call, &state)
        state.press("f")
        state.settle(state.type(".n"))
        state.settle(state.press("Enter"))
        state.open("shop/orders/create")
        state.settle(state.answer(state.sendOpen(), lines(4), contentType: "application/x-ndjson"))
        state.focus(.response)
        state.press("f")
        let pending = state.type(".n")
        arriveAndFilter(lines(5), call, &state)
        state.settle(pending)
        #expect(state.screen.contains("4 results") && !state.screen.contains("so far"))
    }

    @Test func `a line that is not JSON leaves the results before it`() {
        var (state, call) = receiving()
        arriveAndFilter(lines(3), call, &state)
        state.press("f")
        state.settle(state.type(".n"))
        arriveAndFilter(lines(3) + "ping\n", call, &state)
        #expect(state.screen.contains("3 results before the error") && state.screen.contains("not JSON"))
    }

    @Test func `a filter of a stream that has ended is shown from its first result, and removing it returns to the same row`() {
        var (state, call) = receiving()
        arriveAndFilter(lines(90), call, &state)
        state.press("k", "k", "k")
        state.settle(state.update(.call(call, .finished(.sample(lines(90), contentType: "application/x-ndjson")))))
        let row = state.responseState.row
        state.press("f")
        state.settle(state.type("select(.n < 3)"))
        state.settle(state.press("Enter"))
        #expect(state.responseState.row == 0)
        state.press("G", "Esc")
        #expect(state.responseState.filter == nil && state.responseState.row == row)
    }

    @Test func `results do not move while the cursor is above the last one, and wait during a pause`() {
        var (state, call) = receiving()
        arriveAndFilter(lines(50), call, &state)
        state.press("f")
        state.settle(state.type(".n"))
        state.settle(state.press("Enter"))
        state.press("k", "k")
        let row = state.responseState.row
        arriveAndFilter(lines(80), call, &state)
        #expect(state.responseState.row == row && state.screen.contains("80 results so far"))
        state.settle(state.press("Space"))
        arriveAndFilter(lines(90), call, &state)
        #expect(state.screen.contains("80 results so far"))
        state.settle(state.press("Space"))
        #expect(state.screen.contains("90 results so far"))
    }

    @Test func `a message that a filter cannot be applied to ends the results`() {
        var (state, call) = receiving()
        arriveAndFilter(lines(2), call, &state)
        state.press("f")
        state.settle(state.type(".n + 1"))
        arriveAndFilter(lines(2) + "{\"n\":\"x\"}\n" + lines(3), call, &state)
        #expect(state.screen.contains("2 results before the error"))
    }

    @Test func `moving away from the end stops following, and G follows again`() {
        var (state, call) = receiving()
        arrive(lines(50), call, &state)
        state.press("k", "k")
        let row = state.responseState.row
        arrive(lines(80), call, &state)
        #expect(state.responseState.row == row && state.screen.contains("80 messages · live"))
        #expect(state.screen.contains("End follows"))
        state.press("G")
        arrive(lines(90), call, &state)
        #expect(state.screen.contains(#""n": 90"#) && !state.screen.contains("follows"))
    }

    @Test func `the folding of a paused body stays when it goes on`() {
        var (state, call) = receiving()
        arrive(lines(5), call, &state)
        settle(&state, state.press("Space", "+"))
        arrive(lines(9), call, &state)
        settle(&state, state.press("Space"))
        #expect(state.openBody?.rowCount == 27)
        #expect(!state.screen.contains(#"{"n": 9}"#))
    }

    @Test func `another mode of a paused body has all rows`() {
        var (state, call) = receiving()
        arrive(lines(9000), call, &state)
        settle(&state, state.press("Space"))
        settle(&state, state.press("w"))
        #expect(state.openBody?.mode == .raw && (state.openBody?.rowCount ?? 0) >= 9000)
        #expect(state.responseState.stream.paused == nil && !state.responseState.stream.isFollowing)
    }

    @Test func `an event is one row with its name, ID and data, and Enter unfolds it`() {
        var (state, call) = receiving("text/event-stream")
        arrive("event: tick\nid: 4\ndata: {\"n\":1}\n\n", call, &state)
        #expect(state.screen.contains(#"{"event": "tick", "id": "4", "data": {"n": 1}}"#) && state.screen.contains("1 message · live"))
        settle(&state, state.press("Enter"))
        #expect(state.openBody?.rowCount == 7 && state.screen.contains(#""event": "tick","#), "\(state.screen)")
        // Later messages are rows again.
        arrive("event: tick\nid: 4\ndata: {\"n\":1}\n\ndata: two\n\n", call, &state)
        #expect(state.openBody?.rowCount == 8 && state.screen.contains(#"{"data": "two"}"#))
    }

    @Test func `a short event is whole on the smallest common screen`() {
        var (state, call) = receiving("text/event-stream")
        _ = state.update(.input(.resize(Size(width: 80, height: 24))))
        arrive("event: tick\nid: 7\ndata: {\"price\":12}\n\n", call, &state)
        #expect(state.screen.contains(#"{"event": "tick", "id": "7", "data": {"price": 12}}"#), "\(state.screen)")
    }

    @Test func `a body that is recognized as a stream later has a row for each message`() {
        var (state, call) = receiving("application/json")
        arrive("{\"n\":1}\n", call, &state)
        arrive(lines(2), call, &state)
        #expect(state.openBody?.rowCount == 2 && state.screen.contains(#"{"n": 2}"#), "\(state.screen)")
    }

    @Test func `JSON in a string unfolds in its place, also in a message of a stream, and the string comes back`() throws {
        var (state, call) = receiving("application/json")
        state.settle(state.answer(call, #"{"name": "x", "payload": "{\"a\": [1, 2]}"}"#))
        state.press("3", "j", "j")
        state.settle(state.press("l"))
        #expect(state.screen.contains("{ in a string") && state.screen.contains(#""a": ["#), "\(state.screen)")
        state.press("j")
        let copied = state.press("Y").compactMap { if case .copy(_, let text) = $0 { text } else { nil } }
        #expect(copied == ["$.payload | fromjson | $.a"])
        #expect(try SelectedValue(state).path == "$.payload | fromjson | $.a")
        state.press("k")
        state.settle(state.press("h"))
        #expect(state.openBody?.rowCount == 4 && state.responseState.row == 2 && state.responseState.filter == nil)
        state.settle(state.press("Enter"))
        state.settle(state.press("Enter"))
        #expect(state.openBody?.rowCount == 4 && state.responseState.row == 2)
        // So it does by the mouse alone.
        let lines = state.screen.split(separator: "\n", omittingEmptySubsequences: false)
        let row = lines.firstIndex { $0.contains("\"payload\"") } ?? 0
        let column = lines[row].firstRange(of: "\"payload\"").map { lines[row].distance(from: lines[row].startIndex, to: $0.lowerBound) } ?? 0
        for count in [9, 4] {
            state.settle(state.update(.input(.mouse(Mouse(kind: .doubleClick, button: .left, position: Point(column: column, row: row))))))
            #expect(state.openBody?.rowCount == count)
        }
        // A string without an object or an array.
        state.press("k")
        #expect(state.press("l").isEmpty && state.openBody?.rowCount == 4)
        var (stream, events) = receiving()
        arriveAndFilter(#"{"d":"{\"n\":1}"}"# + "\n" + #"{"d":"plain"}"# + "\n" + #"{"d":"{\"n\":2}"}"# + "\n", events, &stream)
        stream.settle(stream.press("g", "l"))
        stream.press("j")
        stream.settle(stream.press("Enter"))
        #expect(stream.screen.contains(#""d": { in a string"#) && stream.screen.contains(#"{"d": "plain"}"#), "\(stream.screen)")
    }

    @Test func `a body of known length is displayed from its start`() {
        var (state, call) = receiving(headers: [HeaderField("Content-Length", "900")])
        arrive(lines(50), call, &state)
        #expect(state.responseState.row == 0 && state.screen.contains(#""n": 1"#))
        #expect(state.screen.contains("50 messages · live"))
    }

    @Test func `what is no stream cannot be paused, and a new response goes on`() {
        var (state, call) = receiving("application/json")
        arrive("{\"a\": 1", call, &state)
        #expect(state.press("Space") == [])
        #expect(state.toast?.text == "The response is no stream of messages")
        var (other, first) = receiving()
        arrive(lines(3), first, &other)
        other.press("Space")
        end(lines(4), first, &other)
        #expect(other.screen.contains("paused · 1 new"))
        _ = other.sendOpen()
        #expect(other.responseState.stream.paused == nil && !other.screen.contains("paused"))
    }
}
