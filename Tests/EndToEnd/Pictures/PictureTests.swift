import Foundation
import Support
import Testing

/// The pictures of the README and the guide: the real program with the demo.
///
/// `make pictures` writes them. The text of the pictures is compared with that of the program. Numbers and lengths of lines and bars are left out, because times differ.
@Suite(.serialized) struct PictureTests {
    private static let size = Bench.Size(100, 28)

    @Test func `the picture of the workbench shows the program`() async throws {
        let bench = try await Bench.demo(Self.size)
        bench.send("Slow download")
        try await bench.see("↓ Slow download", "B/s")
        bench.terminal.type("Tp")
        try await bench.see("⏸ ↓ Slow download")
        bench.send("List orders")
        try await bench.see("200 OK", "青花瓷茶杯")
        try await compare(bench, with: "workbench")
    }

    @Test func `the picture of a run shows the program`() async throws {
        let bench = try await Bench.demo(Self.size)
        bench.choose("checkout")
        bench.press(.control("r"))
        try await bench.see("finished")
        bench.terminal.type("Rz")
        try await bench.see("4/4")
        try await bench.seeNoMore("Services")
        try await compare(bench, with: "run")
    }

    @Test func `the picture of a comparison shows the program`() async throws {
        let bench = try await Bench.demo(Self.size)
        bench.send("List orders")
        try await bench.see("200 OK")
        bench.send("One order")
        try await bench.see("200 OK", "orders/")
        bench.terminal.type("H")
        // The title of the request has the target as well.
        try await bench.see("GET     orders/list", "GET     orders/detail")
        bench.terminal.type(" j c")
        try await bench.see("Compare  #")
        // The dates of the responses, which the rows below show, are equal or not.
        try await compare(bench, with: "comparison", before: "Header")
    }

    @Test func `the picture of the palette shows the program`() async throws {
        let bench = try await Bench.demo(Self.size)
        bench.press(.control("p"))
        try await bench.see("Commands", "Esc closes")
        bench.terminal.type("show")
        try await bench.see("show", "Show the History")
        try await compare(bench, with: "palette")
    }

    /// Waits until the screen has the text of a picture, or writes the picture.
    ///
    /// - Parameter heading: The first row that is not compared; nil compares all.
    private func compare(_ bench: Bench, with name: String, before heading: String? = nil) async throws {
        let picture = GeneratedDocument("Sources/sortie/Documentation.docc/Resources/\(name).svg")
        if GeneratedDocument.isUpdating {
            // Messages in the lower border disappear after some seconds, so a picture with one would not match a slower program.
            try await bench.terminal.waitUntil("a screen without a message", within: Sortie.patience) {
                // Over the lower border of the bottom pane, or over its tabs where it has no rows.
                !$0.contains("└ •") && !$0.contains("└ !") && !$0.contains("─ •") && !$0.contains("─ !")
            }
            try Self.stable(bench.terminal.display.svg).write(to: picture.url, atomically: true, encoding: .utf8)
            return
        }
        let expected = Self.comparable(try String(contentsOf: picture.url, encoding: .utf8), before: heading)
        try await bench.terminal.waitUntil("the text of \(picture.path); if that is stale, make pictures writes it", within: Sortie.patience) {
            Self.comparable($0.svg, before: heading) == expected
        }
    }

    /// The image with the port of the demo that it has when the port is free.
    private static func stable(_ svg: String) -> String { svg.replacing(/127\.0\.0\.1:\d{5}/) { _ in "127.0.0.1:46101" } }

    /// The rows of a popup, without blanks, without what is beside it, which is not moved by a row more or less.
    private static func popup(in rows: [String]) -> [String] {
        guard let title = rows.firstIndex(where: { $0.contains("Esccloses") }) else { return rows }
        return rows[title...].map { row -> String in
            var content: Substring = ""
            // What is beside the popup is short.
            for part in row.split(separator: "│") where part.count > max(5, content.count) { content = part }
            return String(content)
        }
    }

    /// The rows of text without numbers and their units, marks of different or missing times, lines, bars and the widths of blanks.
    private static func comparable(_ svg: String, before heading: String?) -> [String] {
        let rows = VirtualScreen.text(ofSVG: svg)
        // On a busy machine a request waits a moment, or its body arrives later than its head, which are rows of their own.
        let compared = rows.prefix { row in heading.map { !row.contains($0) } ?? true }.filter { !$0.contains("Queued") && !$0.contains("Receive") }
        return (heading == nil ? Array(compared) : popup(in: Array(compared))).map { row in
            let marks = row.replacing(/[─━┄▏▎▍▌▋▊▉█░·≠]+/) { _ in "" }
            // A phase without a time has a dash; a busy machine may need a second connection, which has times.
            // Where a name is cut depends on the width of the time before it.
            let words = marks.replacing("–", with: "#").replacing(/\d+([.,:]\d+)*( ?(ms|µs|s)(?![a-z])| ?[kMG]?B)?/) { _ in "#" }
                .replacing(/[A-Za-z.]+›/) { _ in "›" }
            // The number of marks on an axis depends on its length.
            return words.split(separator: " ").joined(separator: " ").replacing(/#( ?#)+/) { _ in "#" }
        }
    }
}
