import Testing

@testable import SortieApp

/// Tests the lines of `sortie history list` on a terminal.
struct HistoryTableTests {
    @Test func `URLs that are truncated begin with their paths, so that the rows differ`() {
        let rows = ["orders", "prices"].map { path in
            ["1", "12:00:00", "–", "GET", "https://shop.example/\(path)", "200", "12 ms", "2 B", "develop", ""]
        }
        let paths = ["/orders  https://shop.example", "/prices  https://shop.example"]
        let narrow = HistoryTable.aligned(rows, paths: paths, columns: 80).split(separator: "\n")
        #expect(narrow.map { $0.contains("/orders") } == [true, false] && narrow.map { $0.contains("/prices") } == [false, true], "\(narrow)")
        #expect(narrow.allSatisfy { $0.count <= 80 })
        #expect(HistoryTable.aligned(rows, paths: paths, columns: 120).contains("https://shop.example/orders"))
    }
}
