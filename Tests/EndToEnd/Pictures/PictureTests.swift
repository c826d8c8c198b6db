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
            try await bench.seeNoMessage()
            try PictureText.stable(bench.terminal.display.svg).write(to: picture.url, atomically: true, encoding: .utf8)
            return
        }
        let expected = PictureText.comparable(VirtualScreen.text(ofSVG: try String(contentsOf: picture.url, encoding: .utf8)), before: heading)
        try await bench.terminal.waitUntil("the text of \(picture.path); if that is stale, make pictures writes it", within: Sortie.patience) {
            PictureText.comparable($0.pictureText, before: heading) == expected
        }
    }
}
