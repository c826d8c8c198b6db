import BodyViews
import SortieBase
import SortieHTTP
import SortieTerminal
import Testing

@testable import SortieWorkbench

/// Tests the table of the Body tab.
@Suite struct TableViewTests {
    private static let shop =
        #"{"total":3,"items":[{"id":10,"title":"Cup","tags":["a","b"]},{"id":9,"title":"Pot"},{"id":100,"title":"Tea","sold":true}]}"#

    private func answered(_ body: String = shop, _ type: String = "application/json", size: Size = Size(width: 120, height: 40)) -> AppState {
        .showing(body, contentType: type, size: size)
    }

    private func press(_ state: inout AppState, _ keys: String...) {
        for key in keys { state.settle(state.press(key)) }
    }

    /// The lines of the screen with a text, in their order.
    private func lines(_ state: AppState, with texts: [String]) -> [String] {
        state.screen.split(separator: "\n").compactMap { line in texts.first { line.contains($0) } }
    }

    @Test func `t shows the first array of objects with aligned numbers, and the path of the cell`() {
        var state = answered()
        press(&state, "t")
        #expect(state.screen.contains("id  title"))
        #expect(state.screen.contains(" 10  Cup"))
        #expect(state.screen.contains("100  Tea"))
        #expect(state.screen.contains(#"["a","b"]"#))
        #expect(state.screen.contains(" $.items[0].id ") && state.screen.contains(" table · 1/3 "))
        press(&state, "j", "l")
        #expect(state.screen.contains(" $.items[1].title ") && state.screen.contains(" table · 2/3 "))
        press(&state, "l", "l", "l")
        #expect(state.screen.contains(" $.items[1].sold "))
    }

    @Test func `the table closes at the value of the cell, also where it is folded`() {
        var state = answered()
        press(&state, "-", "t", "j", "j", "l", "Esc")
        #expect(state.shownTable == nil && state.screen.contains(" $.items[2].title "))
        press(&state, "t")
        #expect(state.shownTable?.row == 2)
        press(&state, "t")
        #expect(state.shownTable == nil && state.screen.contains(#""title": "Tea""#))
    }

    @Test func `a sort is ascending, then descending, then the order of the body`() {
        var state = answered()
        press(&state, "t", "=")
        #expect(lines(state, with: ["Cup", "Pot", "Tea"]) == ["Pot", "Cup", "Tea"])
        #expect(state.screen.contains("id ▲") && state.screen.contains(" $.items[1].id "))
        press(&state, "=")
        #expect(lines(state, with: ["Cup", "Pot", "Tea"]) == ["Tea", "Cup", "Pot"])
        press(&state, "=")
        #expect(lines(state, with: ["Cup", "Pot", "Tea"]) == ["Cup", "Pot", "Tea"])
        #expect(!state.screen.contains("▲") && !state.screen.contains("▼") && state.shownTable?.sort == nil)
    }

    @Test func `the progress of a sort is displayed, and its result is dropped after the table has closed`() throws {
        var state = answered()
        press(&state, "t")
        let (id, job) = try #require(state.press("=").started(SortTableJob.self).first)
        #expect(job.column == 0 && job.isAscending)
        state.end(SortTableJob.self, id, .progress(0.42))
        #expect(state.screen.contains("sorting 42 %"))
        #expect(state.press("Esc").contains(.cancelJobs([id])))
        if let order = job.table.sorted(by: 0, ascending: true, isStopped: { _ in false }) { state.end(SortTableJob.self, id, .done(order)) }
        #expect(state.shownTable == nil)
    }

    @Test func `Enter and y copy the cell, Y copies its path`() {
        var state = answered()
        press(&state, "t", "l")
        guard case .copy(let id, "Cup") = state.press("Enter").first, case .copy(_, "Cup") = state.press("y").first,
            case .copy(_, "$.items[0].title") = state.press("Y").first
        else {
            Issue.record("not copied")
            return
        }
        _ = state.update(.copied(id, .done("")))
        #expect(state.log.entries.last?.text.contains("$.items[0].title") == true || state.toast?.text.contains("$.items[0].title") == true)
        press(&state, "j", "l")
        #expect(state.press("Enter").isEmpty && state.toast?.text == "There is no value in this cell")
    }

    @Test func `columns scroll, and the names stay at the top`() {
        let items = (0..<60).map { row in "{" + (0..<20).map { "\"column\($0)\":\"r\(row)c\($0)\"" }.joined(separator: ",") + "}" }
        var state = answered("[" + items.joined(separator: ",") + "]", size: Size(width: 80, height: 24))
        press(&state, "t")
        #expect(state.screen.contains("column0") && !state.screen.contains("column19") && state.screen.contains("›"))
        for _ in 0..<19 { press(&state, "l") }
        press(&state, "G")
        #expect(state.screen.contains("column19") && state.screen.contains("r59c19") && !state.screen.contains("column0 "))
        #expect(state.screen.contains(" $[59].column19 "))
    }

    @Test func `the results of a filter, a sequence and CSV are tables`() {
        var state = answered()
        press(&state, "f")
        state.settle(state.type(".items[] | {title}"))
        press(&state, "Enter", "t")
        #expect(state.screen.contains(" 1: $.title ") && lines(state, with: ["Cup", "Pot", "Tea"]).count == 3)
        var rows = answered("{\"a\":1}\n{\"a\":2}\n", "application/x-ndjson")
        press(&rows, "t", "j")
        #expect(rows.screen.contains(" 2: $.a "))
        var csv = answered("name,price\nCup,10\nPot,9\n", "text/csv")
        press(&csv, "t", "l", "=")
        #expect(lines(csv, with: ["Cup", "Pot"]) == ["Pot", "Cup"] && csv.screen.contains(" record 2, price "))
    }

    @Test func `another filter changes the table, and the next response is a table again`() {
        var state = answered()
        press(&state, "t")
        #expect(state.shownTable != nil)
        state.settle(state.answer(state.sendOpen(), #"[{"other":1},{"other":2}]"#))
        state.focus(.response)
        #expect(state.screen.contains("other") && state.shownTable?.table.rowCount == 2)
        press(&state, "f")
        state.settle(state.type(".[1:]"))
        #expect(state.shownTable?.table.rowCount == 1)
        press(&state, "Esc")
        #expect(state.shownTable?.table.rowCount == 2)
    }

    @Test func `rows are added while the body arrives`() {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.open("shop/orders/list")
        let id = state.sendOpen()
        let bytes = Array(Self.shop.utf8)
        state.settle(ResponseFeature.grow(id, to: BodyBytes(Array(bytes[..<70])), isFinal: false, &state))
        state.focus(.response)
        press(&state, "t")
        #expect((state.shownTable?.table.rowCount ?? 0) < 3)
        state.settle(state.answer(id, Self.shop))
        #expect(state.shownTable?.table.rowCount == 3 && state.shownTable?.table.isComplete == true)
    }

    @Test func `the cursor and the sort stay while a body arrives whose text is larger than its bytes`() {
        var state = AppState.sample(size: Size(width: 120, height: 40))
        state.open("shop/orders/list")
        let id = state.sendOpen()
        let headers = Headers([HeaderField("Content-Type", "application/json; charset=ISO-8859-1")])
        _ = state.update(.call(id, .responded(Response(status: 200, reason: "OK", headers: headers))))
        state.focus(.response)
        func arrive(_ count: Int) {
            let text = "[" + (1...count).map { #"{"id":\#($0),"name":"éééééééé"}"# }.joined(separator: ",")
            state.settle(state.update(.call(id, .grew(BodyBytes(text.unicodeScalars.map { UInt8($0.value) })))))
        }
        arrive(20)
        press(&state, "t", "l", "=", "j")
        arrive(21)
        #expect(state.shownTable?.table.rowCount == 21)
        #expect(state.shownTable?.column == 1 && state.shownTable?.row == 1 && state.shownTable?.sort?.column == 1)
    }

    @Test func `a search goes to the cell of its match`() {
        var state = answered()
        press(&state, "t", "/")
        state.settle(state.type("Tea"))
        #expect(state.screen.contains(" $.items[2].title "))
    }

    @Test func `a body without an array of objects has no table, and the reason is displayed`() {
        var state = answered(#"{"a":[1,2]}"#)
        press(&state, "t")
        #expect(state.shownTable == nil && state.toast?.text.hasPrefix("There is no array of objects") == true)
    }

    @Test func `a click goes to a cell`() throws {
        var state = answered()
        press(&state, "t")
        let lines = state.screen.split(separator: "\n", omittingEmptySubsequences: false)
        let row = try #require(lines.firstIndex { $0.contains("Pot") })
        let column = CellWidth.width(of: try #require(lines[row].firstRange(of: "Pot").map { lines[row][..<$0.lowerBound] }))
        _ = state.update(.input(.mouse(Mouse(kind: .press, button: .left, position: Point(column: column + 1, row: row)))))
        #expect(state.screen.contains(" $.items[1].title "))
    }
}
