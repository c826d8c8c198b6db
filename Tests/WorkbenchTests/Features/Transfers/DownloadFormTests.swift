import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the form that starts a download with its own options.
@Suite struct DownloadFormTests {
    private func form(size: Size = Size(width: 80, height: 24)) -> AppState {
        var state = AppState.sample(size: size)
        state.open("shop/big")
        state.press("^P")
        state.type("download the response")
        state.press("Enter")
        return state
    }

    private let digest = String(repeating: "0123456789abcdef", count: 4)

    @Test func `rate, connections and digest apply to this transfer and are shown in its row and its details`() throws {
        var state = form()
        #expect(state.screen.contains("Download big.iso") && state.screen.contains("limit rate") && state.screen.contains("SHA-256"))
        state.press("^U")
        state.type("/tmp/got.iso")
        state.press("Tab")
        state.type("2MB")
        state.press("Tab", "Space", "Space", "Tab")
        state.type("sha256:\(digest.uppercased())  got.iso")
        guard case .download(let id, let order)? = state.press("Enter").first else {
            Issue.record("nothing was started: \(state.screen)")
            return
        }
        #expect(order.destination == "/tmp/got.iso")
        let settings = try #require(order.endpoint.download)
        #expect(settings.rateLimit == 2_000_000 && settings.connections == 3 && settings.digest?.hexadecimal == digest)
        #expect(settings.collision == .keepBoth)
        #expect(state.endpoint("shop/big")?.download == nil, "the file of the endpoint does not change")
        _ = state.update(.download(id, .changed(.receiving)))
        #expect(QueuedCall(state.calls[id])?.stateText(state).text == "at most 2.0 MB/s, 3 connections, with SHA-256")
        state.press("T", "Enter")
        #expect(state.screen.contains("at most 2.0 MB/s, 3 connections") && state.screen.contains(digest.prefix(40)))
    }

    @Test(arguments: [
        (1, "fast", "“fast” is not a number of bytes a second: write 2MB, 500kB, or nothing"), (1, "0", "“0” is not a number of bytes"),
        (3, "abc", "A SHA-256 has 64 hexadecimal digits; this has 3 characters"),
    ])
    func `an invalid value keeps the form open, selects its field and gives the remedy`(field: Int, text: String, problem: String) {
        var state = form()
        for _ in 0..<field { state.press("Tab") }
        state.press("^U")
        state.type(text)
        state.press("Tab")
        #expect(state.press("Enter").isEmpty)
        let shown = (state.popup as? Form)
        #expect(shown?.problem?.hasPrefix(problem) == true && shown?.selected == field)
    }

    @Test func `without a place the form says what to write`() {
        var state = form(size: Size(width: 40, height: 10))
        state.press("^U", "Enter")
        #expect((state.popup as? Form)?.problem == "Write a file, or a folder that ends with /")
    }

    @Test func `the same download with other options replaces the first one`() {
        let endpoint = Endpoint(target: "shop/big", name: "big", path: "/big")
        var limited = endpoint
        limited.download = DownloadSettings(connections: 4)
        let first = QueuedTransfer(endpoint, environment: nil, destination: "/tmp/a")
        #expect(QueuedTransfer(limited, environment: nil, destination: "/tmp/a").isSame(as: first))
        #expect(!QueuedTransfer(limited, environment: nil, destination: "/tmp/b").isSame(as: first))
    }
}
