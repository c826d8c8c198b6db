import Support
import Testing

@testable import SortieWorkbench

/// Tests the lines of long texts.
@Suite struct TextLinesTests {
    private static func line(_ number: Int) -> [Character] { Array("  \"name \(number)\": \"value \(number)\",") }

    /// The addresses of the lines of each chunk, which tell whether two texts share it.
    private func addresses(_ lines: TextLines) -> [UInt] {
        lines.chunks.map { chunk in chunk.lines.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
    }

    @Test func `random replacements of rows have the lines of an array`() {
        var random = SeededGenerator(seed: 7)
        var model = (0..<600).map(Self.line)
        var lines = TextLines(model)
        for step in 0..<300 {
            let first = Int.random(in: 0..<model.count, using: &random)
            let last = min(model.count - 1, first + Int.random(in: 0...(step % 40 == 0 ? 300 : 3), using: &random))
            let new = (0..<Int.random(in: 1...(step % 50 == 0 ? 400 : 4), using: &random)).map { Self.line(step * 1000 + $0) }
            lines.replace(first...last, with: new)
            model.replaceSubrange(first...last, with: new)
            #expect(Array(lines) == model && lines.count == model.count)
            let row = Int.random(in: 0..<model.count, using: &random)
            #expect(lines[row] == model[row])
            #expect(lines.characters(before: row) == model[..<row].reduce(0) { $0 + $1.count + 1 })
        }
        #expect(lines.text == model.map { String($0) }.joined(separator: "\n"))
        #expect(lines == TextLines(model))
        #expect(lines.chunks.count < 4 + model.count / 16)
    }

    @Test func `a change of a line of a long text copies one chunk of it`() {
        let before = TextLines((0..<40_000).map(Self.line))
        var after = before
        after.replace(20_000...20_000, with: [Array("changed"), Array("and added")])
        #expect(Set(addresses(after)).subtracting(addresses(before)).count <= 2)
        #expect(after[20_000] == Array("changed") && after[20_001] == Array("and added") && after[20_002] == Self.line(20_001))
        #expect(after != before)
    }

    @Test func `no chunk has more lines or characters than its limits, unless one line is longer`() {
        let long = [Character](repeating: "x", count: 3 * TextLines.chunkCharacters)
        var lines = TextLines([long] + (0..<1000).map(Self.line))
        lines.replace(0...0, with: [long, long])
        for chunk in lines.chunks {
            #expect(chunk.lines.count <= TextLines.chunkLines)
            #expect(chunk.lines.count == 1 || chunk.characters <= TextLines.chunkCharacters)
        }
        #expect(lines.count == 1002)
    }

    @Test func `lines that are added one by one at one place divide chunks into halves`() {
        var lines = TextLines((0..<128).map(Self.line))
        for number in 0..<1000 { lines.replace(60...60, with: [Self.line(number), Self.line(number)]) }
        #expect(lines.count == 1128 && lines.chunks.count < 40)
    }

    @Test func `a text without lines has one empty line`() {
        var lines = TextLines([])
        #expect(Array(lines) == [[]] && lines.text.isEmpty)
        lines.replace(0...0, with: [Array("a")])
        #expect(lines.text == "a")
    }
}
