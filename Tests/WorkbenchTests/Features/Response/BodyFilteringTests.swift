import BodyViews
import SortieBase
import SortieTerminal
import Testing

@testable import SortieWorkbench

/// Tests the cursor, folding, copying and the filter of a body.
@Suite struct BodyFilteringTests {
    private static let shop = #"{"items":[{"id":1,"title":"a \"b\""},{"id":2,"title":"c"}],"total":2}"#

    private func answered(_ body: String = shop, contentType: String = "application/json", size: Size = Size(width: 120, height: 40)) -> AppState {
        .showing(body, contentType: contentType, size: size)
    }

    private func filter(_ state: inout AppState, _ text: String) {
        state.press("f")
        state.settle(state.type(text))
    }

    @Test func `the path of the row with the cursor is on the border`() {
        var state = answered()
        #expect(state.screen.contains(" $ "))
        state.press("↓", "↓", "↓")
        #expect(state.screen.contains(" $.items[0].id "))
    }

    @Test func `Enter folds and unfolds the container of the row, and the cursor stays on it`() {
        var state = answered()
        state.press("↓")
        state.settle(state.press("Enter"))
        #expect(state.screen.contains(#""items": [ … 2 items ]"#) && !state.screen.contains(#""id": 1"#))
        state.settle(state.press("Enter"))
        #expect(state.screen.contains(#""id": 1"#))
        state.press("↓", "↓")
        state.settle(state.press("Enter"))
        #expect(state.screen.contains("{ … 2 members }"))
        #expect(state.screen.contains(" $.items[0] "))
    }

    @Test func `h folds, then goes to the container, and l unfolds or scrolls`() {
        var state = answered()
        state.press("↓", "↓")
        state.settle(state.press("h"))
        #expect(state.screen.contains("{ … 2 members }"))
        state.press("h")
        #expect(state.screen.contains(" $.items "))
        state.settle(state.press("h"))
        #expect(state.screen.contains("[ … 2 items ]"))
        state.settle(state.press("l"))
        #expect(state.screen.contains("{ … 2 members }"))
        state.press("l")
        #expect(state.responseState.left == 0)
    }

    @Test func `l scrolls where a row goes on, and h scrolls back`() {
        var state = answered(#"{"text":"\#(String(repeating: "long ", count: 60))"}"#)
        state.press("↓", "l")
        #expect(state.responseState.left == 8)
        state.press("h")
        #expect(state.responseState.left == 0)
    }

    @Test func `removing a filter returns to the row where it began`() {
        var state = answered()
        state.press("↓", "↓", "↓", "↓")
        filter(&state, ".total")
        state.press("Enter", "Esc")
        #expect(state.screen.contains(" $.items[0].title "))
    }

    @Test func `of a long filter, the number of results is visible`() {
        var state = answered(size: Size(width: 80, height: 24))
        filter(&state, ".items[] | select(.id > 0) | {identifier: .id, title}")
        state.press("Enter")
        #expect(state.screen.contains("… · 2 results"))
    }

    @Test func `everything is folded and unfolded`() {
        var state = answered()
        state.settle(state.press("-"))
        #expect(state.screen.contains("[ … 2 items ]"))
        state.settle(state.press("+"))
        #expect(state.screen.contains(#""id": 2"#))
    }

    @Test func `a click moves the cursor to its row`() {
        var state = answered()
        let list = ResponseView.listRect(state.layout)
        let point = Point(column: list.column + 8, row: list.row + 3)
        _ = state.update(.input(.mouse(Mouse(kind: .press, button: .left, position: point))))
        #expect(state.screen.contains(" $.items[0].id "))
    }

    @Test func `folding says where it is not possible`() {
        var state = answered("plain", contentType: "text/plain")
        state.press("Enter")
        #expect(state.toast?.text.contains("Only formatted JSON, XML and HTML are folded") == true)
    }

    @Test func `y copies the value of the row, Y its path, K its name`() {
        var state = answered()
        var copied: [String] = []
        for keys in [["y"], ["↓", "↓", "↓", "↓", "y"], ["Y"], ["K"], ["↓", "y"], ["K"]] {
            for key in keys {
                for case .copy(_, let text) in state.press(key) { copied.append(text) }
            }
        }
        #expect(copied == [Self.shop, #"a "b""#, "$.items[0].title", "title", "{\n  \"id\": 1,\n  \"title\": \"a \\\"b\\\"\"\n}"])
        #expect(state.toast?.text.contains("$.items[0] has no name") == true)
    }

    @Test func `an element of XML is folded, and its source, XPath and name are copied`() {
        var state = answered("<shop><order><name>a</name></order><order><name>b</name></order></shop>", contentType: "application/xml")
        var copied: [String] = []
        for keys in [["↓", "↓", "↓", "↓", "y"], ["Y"], ["K"], ["↓", "y"]] {
            for key in keys {
                for case .copy(_, let text) in state.press(key) { copied.append(text) }
            }
        }
        #expect(copied == ["<order><name>b</name></order>", "/shop/order[2]", "order", "<name>b</name>"])
        #expect(state.screen.contains(" /shop/order[2]/name[1] "))
        state.settle(state.press("Enter"))
        #expect(state.screen.contains("<order> … 1 element </order>") && state.screen.contains(" /shop/order[2] "))
        state.settle(state.press("-"))
        state.settle(state.press("+"))
        #expect(state.screen.contains("<name>b</name>"))
    }

    @Test func `a search unfolds its match`() {
        var state = answered()
        state.settle(state.press("-"))
        state.press("/")
        for (id, job) in state.type("c\"").started(SearchJob.self) { state.settle(state.search(id, job)) }
        #expect(state.screen.contains(#""title": "c""#))
        #expect(state.screen.contains(" $.items[1].title "))
    }

    @Test func `a filter is applied while it is typed, Enter keeps it, and Esc shows the whole body`() {
        var state = answered()
        filter(&state, ".items[] | {id}")
        #expect(state.screen.contains("2 results") && state.screen.contains(#""id": 2"#) && !state.screen.contains("total"))
        state.press("Enter")
        #expect(state.screen.contains("Filter .items[] | {id} · 2 results · Esc shows the whole body"))
        state.press("↓", "↓", "↓", "↓")
        #expect(state.screen.contains(" 2: $.id "))
        state.press("Esc")
        #expect(state.screen.contains(#""total": 2"#) && !state.screen.contains("Filter .items"))
    }

    @Test func `an invalid filter says where, and keeps the previous results`() {
        var state = answered()
        filter(&state, ".items[0].id")
        state.type("[")
        #expect(state.screen.contains("character 13: this [ is not closed"))
        #expect(state.screen.contains("1"))
        state.press("Esc")
        #expect(state.responseState.filter == nil && state.screen.contains("total"))
    }

    @Test func `a filter that finds nothing, or that a value does not permit, says so`() {
        var state = answered()
        filter(&state, "$.nothing")
        #expect(state.screen.contains("The filter finds nothing."))
        state.press("Esc")
        filter(&state, ".total.x")
        #expect(state.screen.contains("cannot read .x of a number"))
    }

    @Test func `a body that is not JSON cannot be filtered`() {
        var state = answered("plain", contentType: "text/plain")
        state.press("f")
        #expect(state.responses.filterField == nil)
        #expect(state.toast?.text.contains("this body is not JSON; / searches it") == true)
        var broken = answered(#"{"a": "#)
        broken.press("f")
        #expect(broken.responses.filterField == nil)
        var empty = answered("", contentType: "application/json")
        empty.press("f")
        #expect(empty.toast?.text == "There is no body")
    }

    @Test func `results of an older text are ignored`() throws {
        var state = answered()
        state.press("f")
        let old = try #require(state.type(".").started(FilterJob.self).first?.id)
        state.settle(state.type("total"))
        #expect(state.end(FilterJob.self, old, FilterUpdate(bytes: BodyBytes(Array("77\n".utf8)), count: 1, isFinal: true)).isEmpty)
        #expect(!state.screen.contains("77"))
    }

    @Test func `partial results are shown at once and grow`() throws {
        var state = answered()
        state.press("f")
        let id = try #require(state.type(".").started(FilterJob.self).first?.id)
        state.end(FilterJob.self, id, FilterUpdate(bytes: BodyBytes(Array("101\n".utf8)), count: 1, isFinal: false))
        #expect(state.screen.contains("1 result so far") && state.screen.contains("101"))
        state.end(FilterJob.self, id, FilterUpdate(bytes: BodyBytes(Array("101\n202\n".utf8)), count: 2, isFinal: true))
        #expect(state.screen.contains("2 results") && state.screen.contains("202") && !state.screen.contains("so far"))
    }

    @Test func `a filter that was removed is cancelled`() throws {
        var state = answered()
        state.press("f")
        let id = try #require(state.type(".").started(FilterJob.self).first?.id)
        #expect(state.press("Esc").contains(.cancelJobs([id])))
    }

    @Test func `the filter of an endpoint is applied to its next response`() {
        var state = answered()
        filter(&state, ".total")
        state.press("Enter")
        let id = state.sendOpen()
        state.settle(state.answer(id, #"{"total":31}"#))
        #expect(state.screen.contains("31") && state.screen.contains("1 result"))
    }

    @Test func `results are folded and copied like a body`() {
        var state = answered()
        filter(&state, ".items[]")
        state.press("Enter")
        state.settle(state.press("-"))
        #expect(state.screen.components(of: #"{"id": "#) == 2)
        guard case .copy(_, let text)? = state.press("y").first else { return #expect(Bool(false), "nothing was copied") }
        #expect(text.contains(#""id": 1"#) && !text.contains(#""id": 2"#))
    }

    @Test func `Enter keeps the field of an invalid filter open with the mistake`() {
        var state = answered()
        filter(&state, "$.items[")
        state.press("Enter")
        #expect(state.responses.filterField?.text == "$.items[" && state.responseState.filter?.problem != nil)
        state.settle(state.type("0]"))
        state.press("Enter")
        #expect(state.responses.filterField == nil && state.responseState.filter?.problem == nil)
    }

    @Test func `the line of the filter names what Esc does next`() {
        var state = answered()
        filter(&state, "$.items[*].id")
        state.press("Enter")
        #expect(state.screen.contains("Esc shows the whole body"))
        state.press("/")
        state.type("1")
        state.press("Enter")
        #expect(state.screen.contains("Esc ends the search"))
        state.press("Esc")
        #expect(state.screen.contains("Esc shows the whole body"))
    }
}

extension String {
    /// How often a text occurs.
    fileprivate func components(of text: String) -> Int {
        var count = 0
        var rest = self[...]
        while let range = rest.firstRange(of: text) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
