import Foundation
import SortieTerminal
import Testing

@testable import SortieWorkbench

/// Tests the titles of tabs in narrow panes.
@Suite struct TabBarTests {
    private func bar(_ room: Int, selected: Int = 0) -> TabBar {
        TabBar(titles: ["Body", "Headers", "Checks"], selected: selected, marks: [0, 2], room: room)
    }

    private func text(_ bar: TabBar) -> String { bar.spans.map(\.text).joined() }

    @Test func `the titles move together where the room is too small`() {
        #expect(text(bar(22)) == "Body• Headers  Checks•")
        #expect(text(bar(21)) == "Body•Headers Checks•", "the dot of the last title needs a cell")
    }

    @Test func `the first titles are left out where the selected one would be cut off`() {
        #expect(text(bar(17)) == "Body•Headers Checks•")
        #expect(text(bar(17, selected: 2)) == "‹ Headers Checks•")
        #expect(text(bar(9, selected: 2)) == "‹ Checks•")
        #expect(text(bar(1, selected: 2)) == "‹ Checks•")
    }

    @Test(arguments: [22, 21, 17, 9]) func `a click selects the title below it`(room: Int) {
        for selected in 0..<3 {
            let bar = bar(room, selected: selected)
            for (index, title) in bar.titles.enumerated() {
                guard let range = text(bar).range(of: title) else { continue }
                #expect(bar.index(atColumn: text(bar).distance(from: text(bar).startIndex, to: range.lowerBound)) == index)
            }
        }
    }
}
