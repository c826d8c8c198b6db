import SortieHTTP
import SortieTerminal
import Testing

@testable import SortieWorkbench

/// Tests traffic recording and simulated network conditions: commands in the palette, and their display in the footer.
@Suite struct NetworkToolsTests {
    private static let sizes = [Size(width: 80, height: 24), Size(width: 200, height: 50)]

    /// Opens the palette and executes the command found by these letters.
    private func take(_ letters: String, _ state: inout AppState) -> [Effect] {
        state.press("^P")
        state.type(letters)
        return state.press("Enter")
    }

    // MARK: Capture (S3.3)

    /// A state that records into `all.har`.
    private func recording(size: Size = sizes[0], whole: Bool = false) throws -> (AppState, JobID) {
        var state = AppState.sample(size: size)
        _ = take("recordexchanges", &state)
        #expect(state.screen.contains("Record exchanges in a HAR file"))
        state.press("^U")
        state.type("all.har")
        if whole { state.press("↓", "Space") }
        guard case .startCapture(let id, "all.har", let showsSecrets)? = state.press("Enter").first else { throw NothingAsked() }
        #expect(showsSecrets == whole)
        _ = state.update(.capture(id, .began(0)))
        return (state, id)
    }

    private struct NothingAsked: Error {}

    @Test(arguments: sizes) func `while recording, the footer displays the count`(size: Size) throws {
        var (state, id) = try recording(size: size)
        _ = state.update(.capture(id, .recorded(12)))
        #expect(state.screen.contains("● capture 12"), "beside what just happened")
        #expect(state.screen.contains("● capture 12"))
        #expect(take("recordexchanges", &state) == [.stopCapture(id)])
        _ = state.update(.capture(id, .ended(12)))
        #expect(state.toast?.text == "12 requests recorded in all.har")
        #expect(!state.screen.contains("● capture"))
    }

    @Test func `secrets are in the file only on request, and the footer displays this`() throws {
        var (state, id) = try recording(whole: true)
        _ = state.update(.capture(id, .recorded(1)))
        #expect(state.screen.contains("● capture 1, with secrets"))
    }

    @Test func `an unwritable file ends recording with the reason, and late events have no effect`() throws {
        var (state, id) = try recording()
        _ = state.update(.capture(id, .failed("all.har: no space left")))
        #expect(state.screen.contains("all.har: no space left"))
        _ = state.update(.capture(id, .recorded(3)))
        #expect(!state.screen.contains("● capture"))
    }

    // MARK: Conditions

    @Test(arguments: sizes) func `conditions apply to the service, and the footer displays them permanently`(size: Size) {
        var state = AppState.sample(size: size)
        state.open("shop/orders/list")
        _ = take("simulateslow", &state)
        #expect(state.screen.contains("Network conditions of Shop"))
        state.type("300ms")
        state.press("↓", "↓")
        state.type("20%")
        let effects = state.press("Enter")
        #expect(effects == [.useConditions(["shop": NetworkConditions(delay: 0.3, failureShare: 0.2, failure: .refused)])])
        #expect(state.screen.contains("! Network conditions of Shop: "))
        #expect(state.screen.contains("⚠ Network of Shop: +300 ms, 20 % refused"))
        #expect(take("nonetworkcond", &state) == [.useConditions([:])])
        #expect(!state.screen.contains("⚠"))
    }

    @Test func `the palette lists both commands by the name of what they change`() {
        var state = AppState.sample()
        state.press("^P")
        state.type("network conditions")
        #expect(state.screen.contains("Network conditions    ") && state.screen.contains("No conditions    "), "\(state.screen)")
    }

    @Test func `typed conditions are displayed again, and an empty form ends them`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        state.conditions = ["shop": NetworkConditions(delay: 1, rate: 50_000, failureShare: 0.5, failure: .status(503))]
        _ = take("simulateslow", &state)
        let screen = state.screen
        for text in ["1s", "50 kB", "(•) status", "503"] { #expect(screen.contains(text), "\(text) in \(screen)") }
        state.press("^U", "↓", "^U", "↓", "^U")
        #expect(state.press("Enter") == [.useConditions([:])])
    }

    @Test func `an invalid value is rejected with the remedy`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        _ = take("simulateslow", &state)
        state.type("slow")
        #expect(state.press("Enter") == [])
        #expect(state.screen.contains("“slow” is not a duration: write 300ms or 2s"))
    }
}
