import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests that the workbench draws only ASCII in ASCII mode; the contents of the sample are ASCII.
@Suite struct ASCIIModeTests {
    private func expectASCII(_ state: AppState, _ what: String) {
        let text = state.draw().text(in: .ascii)
        let others = text.unicodeScalars.filter { !$0.isASCII }
        #expect(others.isEmpty, "\(what): \(String(String.UnicodeScalarView(others))) in\n\(text)")
    }

    @Test(arguments: [Size(width: 40, height: 10), Size(width: 80, height: 24), Size(width: 200, height: 50)])
    func `all panes, tabs and popups are drawn in ASCII`(size: Size) {
        var state = AppState.sample(size: size)
        expectASCII(state, "empty")
        state.open("shop/orders/list")
        let sending = state.sendOpen()
        _ = state.update(.tick(now: 1.3))
        expectASCII(state, "sending")
        state.answer(sending, #"{"items": [{"id": 1, "tags": ["a", "b"]}], "total": 1}"#)
        for tab in RequestTab.allCases {
            state.requestState.tab = tab
            expectASCII(state, tab.title)
        }
        state.focus(.response)
        for tab in ResponseTab.allCases {
            state.responseState.tab = tab
            expectASCII(state, tab.title)
        }
        state.open("shop/big")
        let download = state.downloadOpen()
        _ = state.update(.download(download, .progressed(DownloadProgress(received: 370, total: 1000))))
        _ = state.update(.tick(now: 2))
        for tab in state.features.tabs {
            state.show(tab.tab)
            expectASCII(state, tab.tab.title)
            state.press("z")
            expectASCII(state, "\(tab.tab.title), zoomed")
            state.press("z")
        }
        for key in ["?", "^P", ",", "^E", "F1", "F8", "'", "V", "!"] {
            state.press(key)
            expectASCII(state, key)
            state.press("Esc")
        }
        _ = state.update(.workspaceFailed(String(repeating: "word ", count: 60)))
        expectASCII(state, "a message")
    }
}
