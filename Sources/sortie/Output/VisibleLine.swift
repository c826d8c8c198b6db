internal import Terminal

/// Lines for stdout: nothing in them that came from outside commands a terminal, changes its order of writing, or looks like another line.
///
/// That holds in a pipe, too: what is in it is displayed sooner or later. Bodies are not lines; they are written exactly.
enum VisibleLine {
    static func of(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in VisibleText.of(text).unicodeScalars { line.append(scalar == "\n" ? "␊" : scalar) }
        return String(line)
    }
}
