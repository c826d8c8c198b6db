internal import BodyViews
internal import SortieHTTP
internal import SortieTerminal

/// Writes a response to stdout: the exact body for programs, and a body without control sequences for a terminal.
struct ResponseOutput {
    let output: StandardOutput
    let errors: StandardError
    let response: Response
    /// Whether status and header fields precede the body, and trailers follow it.
    let includesHeader: Bool
    /// Whether the body is written.
    var includesBody = true
    /// Whether the output ends before its next piece.
    var isCancelled: () -> Bool = { false }

    /// The number of body bytes that are processed, and in memory, at once.
    private static let chunkSize = 4 << 20

    func write() {
        if includesHeader {
            var lines = ["HTTP/\(response.httpVersion) \(response.status) \(response.reason)"]
            lines += response.headers.fields.map { "\($0.name): \($0.value)" }
            output.write(lines.map { VisibleLine.of($0) + "\n" }.joined() + "\n")
        }
        if includesBody, !response.body.isEmpty { writeBody() }
        if !isCancelled() { writeTrailers() }
    }

    /// Writes the trailers after an empty line, or after the last line of a body that does not end with a line break.
    func writeTrailers() {
        guard includesHeader, !response.trailers.fields.isEmpty else { return }
        output.write("\n" + response.trailers.fields.map { VisibleLine.of("\($0.name): \($0.value)") + "\n" }.joined())
    }

    private func writeBody() {
        guard output.isTerminal else {
            for start in stride(from: 0, to: response.body.count, by: Self.chunkSize) where !isCancelled() {
                response.body.withUnsafeBytes(in: start..<start + Self.chunkSize) { output.write($0) }
                response.body.releaseMemory()
            }
            return
        }
        writeToPerson()
    }

    /// On a terminal, JSON is formatted, other text is written without control characters, and other content is left out.
    private func writeToPerson() {
        var view = BodyView.make(bytes: response.body, contentType: response.contentType, isFinal: true)
        if view.kind != .json { view.show(.raw) }
        while !view.isComplete, !isCancelled() { view.advance(budget: 1 << 20) }
        if case .binary = view.kind {
            errors.line("sortie: the body is not text: \(ByteCount(response.body.count).text); -o FILE saves it")
            return
        }
        var row = 0
        while row < view.rowCount, !isCancelled() {
            let rows = view.rows(row..<min(row + 512, view.rowCount))
            output.write(rows.map { VisibleText.of($0.spans.map(\.text).joined()) + "\n" }.joined())
            row += 512
        }
    }
}
