import Foundation
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the list of the messages that were shown above the footer.
@Suite struct MessageTests {
    private func rows(_ state: AppState) -> [String] { state.screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

    @Test func `messages that have disappeared are listed, the latest first, with their times of day`() throws {
        var state = AppState.sample()
        state.startMoment = HistoryMoment(now: Date(timeIntervalSince1970: 86_340))
        state.press("^S")
        _ = state.update(.tick(now: 1))
        _ = state.update(.workspaceFailed("the workspace cannot be read"))
        _ = state.update(.tick(now: 62))
        _ = state.update(.tick(now: 90))
        #expect(state.toast == nil)
        state.press("F8")
        let text = state.screen
        let first = try #require(text.firstRange(of: "00:00:02 ✗ the workspace cannot be read"))
        let second = try #require(text.firstRange(of: "23:59:01 ! There are no changes since the last save"))
        #expect(first.lowerBound < second.lowerBound && text.contains("2 messages"))
    }

    @Test func `a long message is wrapped, and y copies all`() {
        var state = AppState.sample()
        _ = state.update(.workspaceFailed(String(repeating: "word ", count: 60) + "finis"))
        #expect(!state.screen.contains("finis"))
        #expect(state.screen.contains("… F8 shows all"))
        state.press("F8")
        #expect(state.screen.contains("word finis"))
        guard case .copy(_, let copied)? = state.press("y").first else {
            Issue.record("nothing was copied")
            return
        }
        #expect(copied.contains("word word finis") && copied.hasPrefix("now ✗ word"))
    }

    @Test func `the same message in succession is counted, and secrets are masked`() {
        var state = AppState.sample()
        state.press("^S", "^S", "^S")
        _ = state.update(.secretUsed("hunter22"))
        state.toast = Toast("the password is hunter22")
        state.press("F8")
        #expect(state.screen.contains("since the last save (3 times)"))
        #expect(state.screen.contains("the password is ••••") && !state.screen.contains("hunter22"))
    }

    @Test func `without a message the command says so, and the palette finds it as notifications`() {
        var state = AppState.sample()
        state.press("F8")
        #expect(state.toast?.text == "No message was shown yet")
        state.press("^P")
        state.type("notifications")
        state.press("Enter")
        #expect(state.popup is MessagesPopup)
    }

    @Test(arguments: [Size(width: 40, height: 10), Size(width: 80, height: 24), Size(width: 200, height: 50)])
    func `a message of several rows has its own place below the panes, whose borders stay whole`(size: Size) {
        var state = AppState.sample(size: size)
        let footer = rows(state)[size.height - 1]
        _ = state.update(.workspaceFailed(String(repeating: "word ", count: 60) + "finis"))
        let rows = rows(state)
        #expect(rows[size.height - 1] == footer)
        let first = rows.firstIndex { $0.contains("✗ word") } ?? 0
        #expect(first >= size.height - 4 && rows[first...].dropLast().allSatisfy { !$0.contains("│") && !$0.contains("─") }, "\(state.screen)")
        #expect((rows[first - 1].hasPrefix("└") || rows[first - 1].hasPrefix("──")) && state.layout.bottom.endRow == first)
    }

    @Test func `the number of messages is limited`() {
        var log = MessageLog()
        for number in 0..<600 { log.append(Toast("message \(number)")) }
        log.stamp(5)
        #expect(log.entries.count == MessageLog.capacity && log.entries.last?.toast.text == "message 599")
        #expect(log.entries.allSatisfy { $0.time == 5 })
    }
}
