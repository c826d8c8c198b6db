import Support
import Testing

@testable import SortieWorkbench

/// Tests the visible part of a line that is longer than its area.
struct TextWindowTests {
    @Test(arguments: 0..<50 as Range<UInt64>)
    func `a window says that text continues exactly where the rest of the line is wider than the area`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let width = Int.random(in: 0...30, using: &random)
        let line = (0..<Int.random(in: 0...200, using: &random)).map { _ in ["a", "茶", "é", "\t"].randomElement(using: &random) ?? Character("a") }
        let total = line.reduce(0) { $0 + EditableText.width(of: $1) }
        let window = TextWindow(line, showing: Int.random(in: 0...total, using: &random), width: width)
        let rest = line[window.start...].reduce(0) { $0 + EditableText.width(of: $1) }
        #expect(window.continuesAfter == (rest > width - window.inset))
        #expect(window.continuesBefore == (rest < total))
    }
}
