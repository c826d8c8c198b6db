import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the rate limit of all downloads, and removing all partial files (S2.33).
@Suite struct DownloadLimitsTests {
    @Test func `b in Transfers limits the rate of all downloads, is displayed, and is removed again`() {
        var state = AppState.sample()
        state.press("T", "4", "b")
        state.type("2MB")
        #expect(state.press("Enter") == [.limitDownloads(2_000_000)])
        #expect(state.screen.contains("downloads 2.0 MB/s"))
        state.press("b", "^U")
        #expect(state.press("Enter") == [.limitDownloads(nil)])
        #expect(!state.screen.contains("downloads 2.0 MB/s"))
    }

    @Test func `an invalid rate keeps the typed text and names the remedy`() {
        var state = AppState.sample()
        state.press("T", "4", "b")
        state.type("fast")
        #expect(state.press("Enter") == [])
        #expect(state.screen.contains("“fast” is not a number of bytes: write 2MB, 500kB, or nothing"))
    }

    @Test func `S2.33 all transfers that do not run are removed with their partial files`() {
        var order = QueuedTransfer(Endpoint(target: "shop/big", name: "big", path: "/big"), environment: nil, destination: "/tmp/")
        order.file = "/tmp/big"
        var state = AppState.sample()
        _ = state.start(parked: [], transfers: [order])
        state.press("4")
        #expect(!state.screen.contains("There are no transfers."))
        let effects = state.perform(.discardParts)
        guard case .discardPart(_, let discarded)? = effects.first else { return #expect(Bool(false), "\(effects)") }
        #expect(discarded.file == "/tmp/big" && effects.count == 1)
        #expect(state.screen.contains("There are no transfers."))
    }
}
