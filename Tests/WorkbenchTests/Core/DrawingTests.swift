import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

@Suite struct DrawingTests {
    /// States with content in every pane, every popup and every kind of editing.
    static var states: [(name: String, state: AppState)] {
        var empty = AppState(workspace: Workspace(name: "Empty", folder: "/"), environment: nil, size: .zero)
        empty.focus(.bottom)
        var sending = AppState.sample()
        sending.open("shop/orders/list")
        let id = sending.sendOpen()
        _ = sending.update(.tick(now: 0))
        _ = sending.update(
            .call(id, .progressed(CallProgress(sent: 5, sentTotal: 10, received: 3_000_000, receivedTotal: 9_000_000))))
        _ = sending.update(.tick(now: 1.5))
        sending.focus(.bottom)
        var answered = AppState.sample()
        answered.open("shop/orders/list")
        answered.answer(answered.sendOpen(), #"{"a": [1, "日本語 👩‍👩‍👧", null], "\u001b": true}"#)
        var tabs: [(String, AppState)] = []
        for tab in ResponseTab.allCases {
            var state = answered
            state.focus(.response)
            state.responseState.tab = tab
            tabs.append(("response \(tab.title)", state))
        }
        for tab in RequestTab.allCases {
            var state = answered
            state.requestState.tab = tab
            state.press("Enter")
            tabs.append(("request \(tab.title)", state))
        }
        for tab in ServiceTab.allCases {
            var state = answered
            state.open(service: "shop")
            state.servicePane.tab = tab
            tabs.append(("service \(tab.title)", state))
            state.press("Enter")
            tabs.append(("editing service \(tab.title)", state))
        }
        for tab in FeatureList.all.tabs.map(\.tab) {
            var state = answered
            state.press("4")
            state.bottomTab = tab
            tabs.append(("bottom \(tab.title)", state))
        }
        for keys in [["?"], ["^P"], ["^E"], ["m"], ["3", "s"], ["3", "/"], ["1", "/"], ["p"], ["z"], ["Space", "^Q"]] {
            var state = answered
            for key in keys { state.press(key) }
            tabs.append((keys.joined(separator: " "), state))
        }
        var area = AppState.sample()
        area.open("shop/orders/create")
        area.press("↓", "Enter")
        return [("empty", empty), ("sending", sending), ("editing a body", area)] + tabs
    }

    @Test func `every state is drawn at any size`() {
        let widths = [0, 1, 39, 40, 41, 53, 80, 121, 160, 250]
        let heights = [0, 9, 10, 11, 15, 24, 37, 60]
        for (name, state) in Self.states {
            var state = state
            for (index, width) in widths.enumerated() {
                // Each width with three heights, and each height with three or more widths.
                for height in [0, 3, 5].map({ heights[(index + $0) % heights.count] }) {
                    state.size = Size(width: width, height: height)
                    #expect(state.draw().size == state.size, "\(name)")
                }
            }
        }
    }

    @Test func `borders dragged on a large terminal are valid on a small one`() {
        for splits in [
            Layout.Splits(servicesWidth: 240, bottomHeight: 55, requestShare: 950),
            .init(servicesWidth: 14, bottomHeight: 1, requestShare: 50),
        ] {
            for pane in Pane.allCases {
                for size in [Size(width: 40, height: 10), Size(width: 80, height: 24), Size(width: 161, height: 13)] {
                    var state = AppState.sample(size: size)
                    state.splits = splits
                    state.focus(pane)
                    #expect(state.draw().size == size)
                    let layout = state.layout
                    for rect in Pane.allCases.map({ layout[$0] }) { #expect(rect.intersection(state.draw().bounds) == rect) }
                }
            }
        }
    }

    @Test func `below 40 × 10 a message contains the required size`() {
        let state = AppState.sample(size: Size(width: 39, height: 24))
        #expect(state.screen.contains("Sortie needs 40 × 10 cells"))
        #expect(!AppState.sample(size: Size(width: 40, height: 10)).screen.contains("needs"))
    }

    @Test(arguments: [Size(width: 80, height: 24), Size(width: 200, height: 50), Size(width: 40, height: 10)])
    func `the stable names are on the screen`(size: Size) {
        let screen = AppState.sample(size: size).screen
        for name in ["Services", "Request", "Response", "Transfers", "Runs", "Log"] { #expect(screen.contains(name), "\(name)") }
        if size.width >= 80 {
            for name in ["History", "Monitor", "Params", "Headers", "Body", "Auth", "Options"] {
                #expect(screen.contains(name), "\(name)")
            }
        }
    }

    @Test func `body and header text never control the terminal`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        let id = state.sendOpen()
        var exchange = Exchange.sample("a\u{1B}[2J\u{1B}]0;title\u{7}\u{202E}b\rc\u{9B}31m", contentType: "text/plain")
        exchange.response?.headers.append("X-Evil", "\u{1B}[31mred")
        _ = state.update(.call(id, .finished(exchange)))
        state.focus(.response)
        for tab in ResponseTab.allCases {
            state.responseState.tab = tab
            for scalar in state.screen.unicodeScalars where scalar != "\n" {
                #expect(scalar.properties.generalCategory != .control && scalar.properties.generalCategory != .format)
            }
        }
        state.responseState.tab = .headers
        #expect(state.screen.contains("X-Evil: ␛[31mred"))
    }

    @Test func `rows with wide characters stay aligned`() {
        var workspace = Workspace.sample
        workspace.services[0].endpoints[2].name = "注文一覧 👩‍👩‍👧 e\u{301}"
        var state = AppState(workspace: workspace, environment: nil, size: Size(width: 100, height: 30))
        state.open("shop/orders/list")
        state.answer(state.sendOpen(), #"{"名前": "日本語 テキスト 👨‍👩‍👧‍👦 です"}"#)
        for line in state.screen.split(separator: "\n").dropLast() {
            #expect(CellWidth.width(of: line) == 100, "\(line)")
        }
    }

    @Test func `the cursor is in the edited field and nowhere else`() {
        var state = AppState.sample()
        #expect(state.draw().cursor == nil)
        state.open("shop/orders/list")
        state.press("Enter")
        #expect(state.draw().cursor != nil)
        state.press("Esc")
        #expect(state.draw().cursor == nil)
    }

    @Test func `a resize loses no content`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        state.answer(state.sendOpen())
        state.press("Enter")
        state.type("5")
        let before = state.screen
        _ = state.update(.input(.resize(Size(width: 30, height: 5))))
        _ = state.draw()
        _ = state.update(.input(.resize(Size(width: 80, height: 24))))
        #expect(state.screen == before)
    }
}
