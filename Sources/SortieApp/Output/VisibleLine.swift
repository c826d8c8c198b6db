internal import SortieTerminal

/// Lines for stdout in which external text cannot control a terminal, change its writing direction, or look like another line.
///
/// This also applies in a pipe, because its content is displayed sooner or later. Bodies are not lines and are written exactly.
enum VisibleLine {
    static func of(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in VisibleText.of(text).unicodeScalars { line.append(scalar == "\n" ? "␊" : scalar) }
        return String(line)
    }
}
