import Foundation
import Support
import Testing

@testable import SortieTerminal

/// Tests the characters that replace the program's own glyphs where a terminal has only ASCII.
struct GlyphSetTests {
    @Test func `borders, bars and marks are drawn in ASCII with the same width`() {
        var canvas = Canvas(size: Size(width: 16, height: 3))
        canvas.box(canvas.bounds, title: ["Log"])
        canvas.write(["✓ ", Span(ProgressBar(0.55).text(width: 4)), " … →"], at: Point(column: 2, row: 1))
        #expect(canvas.text(in: .ascii) == "+ Log ---------+\n| + ##-- ~ >   |\n+--------------+\n")
        #expect(canvas.text(in: .unicode) == canvas.text)
    }

    @Test func `other characters of a text stay, or are question marks where the character set may not have them`() {
        var canvas = Canvas(size: Size(width: 8, height: 1))
        canvas.write("é漢·", at: .zero)
        #expect(canvas.text(in: .ascii) == "é漢.\n")
        #expect(canvas.text(in: .asciiOnly) == "???.\n")
    }

    /// A character in a string literal of a view must be in the table of ``GlyphSet``.
    @Test(arguments: ["Sources/Terminal", "Sources/Workbench"])
    func `every character that the program draws has a form in ASCII`(folder: String) throws {
        let root = TestSources.repository.appendingPathComponent(folder)
        let files = try FileManager.default.subpathsOfDirectory(atPath: root.path)
            .filter { $0.hasSuffix(".swift") && !$0.hasSuffix("GlyphSet.swift") }
        #expect(files.count > 20)
        for file in files {
            let text = try String(contentsOf: root.appendingPathComponent(file), encoding: .utf8)
            for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                guard !line.utf8.allSatisfy({ $0 < 0x80 }), !line.drop(while: { $0 == " " }).hasPrefix("//") else { continue }
                let code = line.firstRange(of: " // ").map { line[..<$0.lowerBound] } ?? line[...]
                let missing = code.filter { !GlyphSet.hasASCII($0) }
                #expect(missing.isEmpty, "\(file):\(number + 1) draws “\(missing)”, which GlyphSet has no ASCII form for")
            }
        }
    }
}
