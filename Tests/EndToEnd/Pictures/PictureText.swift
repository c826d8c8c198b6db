import Support

/// The text of a picture, as far as it is the same each time.
enum PictureText {
    /// The image with the port of the demo that it has when the port is free, and with the home folder of a person.
    static func stable(_ svg: String) -> String {
        svg.replacing(/127\.0\.0\.1:\d{5}/) { _ in "127.0.0.1:46101" }.replacing(Self.home) { _ in "/home/ada/Downloads" }
    }

    /// The folder of the program that a test started.
    private static var home: Regex<Substring> { /\/tmp\/sortie-test-\w+\/work/ }

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

    /// The rows of text without numbers and their units, marks of different or missing times and of work in progress, lines, bars and the widths of blanks.
    static func comparable(_ rows: [String], before heading: String? = nil) -> [String] {
        // Phases that a request may not have: it waits on a busy machine, its body arrives with its head, or its connection exists.
        let phases = ["Queued", "Name lookup", "Connect  ", "Receive"]
        let compared = rows.prefix { row in heading.map { !row.contains($0) } ?? true }.filter { row in !phases.contains { row.contains($0) } }
        return (heading == nil ? Array(compared) : popup(in: Array(compared))).map { row in
            let marks = row.replacing(Self.home) { _ in "/home/ada/Downloads" }.replacing(/[─━┄▏▎▍▌▋▊▉█░·≠⠀-⣿]+/) { _ in "" }
            // A phase without a time has a dash; a busy machine may need a second connection, which has times.
            // Where a name is cut depends on the width of the time before it.
            let words = marks.replacing("–", with: "#").replacing(/\d+([.,:]\d+)*( ?(ms|µs|s|min)(?![a-z])| ?[kMG]?B)?/) { _ in "#" }
                // The age of a response decides how much of its title fits.
                .replacing(/# ago[^┤┐│]*/) { _ in "# ago" }
                .replacing(/[A-Za-z.]+›/) { _ in "›" }
            // The number of marks on an axis depends on its length.
            return words.split(separator: " ").joined(separator: " ").replacing(/#( ?#)+/) { _ in "#" }
        }
    }
}

extension VirtualScreen {
    /// The rows of the screen as those of its image.
    var pictureText: [String] { Self.text(ofSVG: svg) }
}

extension Bench {
    /// Waits until no message is displayed.
    ///
    /// Messages disappear after some seconds, so a picture with one would not match a slower program.
    func seeNoMessage() async throws {
        try await terminal.waitUntil("a screen without a message", within: Sortie.patience) {
            // Over the lower border of the bottom pane, or over its tabs where it has no rows.
            !$0.contains("└ •") && !$0.contains("└ !") && !$0.contains("─ •") && !$0.contains("─ !")
                // A message of several rows.
                && !$0.text.split(separator: "\n").contains { $0.hasPrefix("  • ") || $0.hasPrefix("  ! ") }
        }
    }
}
