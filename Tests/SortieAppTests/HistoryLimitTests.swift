import HistoryModel
import Testing
import WorkspaceModel

@testable import SortieApp

/// Tests the limits of the history in the settings.
@Suite struct HistoryLimitTests {
    @Test func `the limits of the settings replace the default ones, each by itself`() {
        var settings = Settings()
        #expect(HistoryRetention(settings) == .standard)
        settings.historyDays = 2
        #expect(HistoryRetention(settings) == HistoryRetention(age: 172_800, count: 200_000, bytes: 2_000_000_000))
        (settings.historyExchanges, settings.historyBytes) = (10, 5000)
        #expect(HistoryRetention(settings) == HistoryRetention(age: 172_800, count: 10, bytes: 5000))
    }
}
