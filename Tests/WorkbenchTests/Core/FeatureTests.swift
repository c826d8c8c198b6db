import HistoryModel
import SortieTerminal
import Testing

@testable import SortieWorkbench

/// A feature needs nothing outside its directory but its line in the list of features.
@Suite struct FeatureTests {
    /// A tab of the bottom pane with a number that a key increases.
    private struct CounterFeature: TabFeature {
        struct CounterState: FeatureState {
            var count = 0
        }

        let tab = BottomTab("Counter")
        let context = Context("Counter")

        func guideAddress(_ state: AppState) -> String { "responses" }

        var bindings: [Binding] {
            [
                Binding(context, [.character("i")], .named("increment"), "Increment", "Increment the number", hint: 3) {
                    $0.states[CounterState.self].count == 3 ? "It is 3 already" : nil
                },
                Binding(.panes, [.character("B")], .show(tab), "Counter", "Show the counter"),
            ]
        }

        func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
            guard command == .named("increment") else { return nil }
            state.states[CounterState.self].count += 1
            return []
        }

        func performFocused(_ command: Command, _ state: inout AppState) -> [Effect]? { nil }

        func draw(on canvas: inout Canvas, in rect: Rect, _ state: AppState) {
            canvas.write("The number is \(state.states[CounterState.self].count)", at: rect.origin, style: .text)
        }

        func click(row: Int, height: Int, _ state: inout AppState) {}
    }

    private var state: AppState {
        let all = FeatureList.all
        let features = FeatureList(
            services: all.services, request: all.request, service: all.service, response: all.response, tabs: all.tabs + [CounterFeature()],
            others: all.others)
        return AppState(
            features, workspace: .sample, environment: nil, size: Size(width: 120, height: 40), folders: TransferFolders(), engineHeaders: [])
    }

    @Test func `a new tab is drawn, and its keys stand in footer, help and palette`() {
        var state = state
        state.press("B")
        #expect(state.screen.contains("Monitor  Counter") && state.screen.contains("The number is 0"))
        #expect(state.screen.contains("i Increment"))
        state.press("i", "i")
        #expect(state.screen.contains("The number is 2"))
        state.press("?")
        #expect(state.screen.contains("Keys for Counter") && state.screen.contains("Increment the number"))
        state.press("Esc", "^P")
        state.type("Increment the")
        state.press("Enter")
        #expect(state.screen.contains("The number is 3"))
    }

    @Test func `a command of a new tab says why it is unavailable`() {
        var state = state
        state.press("B", "i", "i", "i", "i")
        #expect(state.screen.contains("The number is 3"))
        #expect(state.toast?.text == "It is 3 already")
    }

    private struct NumbersState: FeatureState {
        var numbers = Array(0..<100_000)
    }

    @Test func `a mutation of a feature's state copies none of its arrays`() {
        func address(_ state: AppState) -> UnsafePointer<Int>? {
            state.states[NumbersState.self].numbers.withUnsafeBufferPointer(\.baseAddress)
        }
        var state = state
        state.states[NumbersState.self].numbers[0] = 7
        let before = address(state)
        state.states[NumbersState.self].numbers[1] = 8
        state.states[NumbersState.self].numbers.swapAt(0, 1)
        #expect(address(state) == before)
        #expect(state.states[NumbersState.self].numbers[...1] == [8, 7])
    }

    @Test func `a mutation through the accessor of a feature copies none of its arrays`() {
        func address(_ state: AppState) -> UnsafePointer<HistoryItem>? { state.history.marked.withUnsafeBufferPointer(\.baseAddress) }
        var items = HistoryStandIn()
        items.add(1000)
        var state = state
        state.history.marked = items.items
        state.history.marked[0].note = "first"
        let before = address(state)
        state.history.marked[999].note = "last"
        #expect(address(state) == before)
        #expect(state.history.marked[999].note == "last")
    }

    @Test func `a copy of the program's state keeps its own states of features`() {
        var state = state
        state.states[NumbersState.self].numbers[0] = 7
        let copy = state
        state.states[NumbersState.self].numbers[0] = 8
        #expect(copy.states[NumbersState.self].numbers[0] == 7)
    }

    @Test func `the tabs follow each other in the order of the list`() {
        var state = state
        state.press("B", "]")
        #expect(state.bottomTab == .transfers)
        state.press("[")
        #expect(state.bottomTab == BottomTab("Counter"))
    }
}
