internal import BodyViews
internal import SortieHTTP
internal import SortieTerminal

/// Writes a response to stdout: the exact body for programs, and a body without control sequences for a terminal.
struct ResponseOutput {
    let output: StandardOutput
    let errors: StandardError
    let response: Response
    /// Whether informational responses, status and header fields precede the body, and trailers follow it.
    let includesHeader: Bool
    /// Whether the body is written.
    var includesBody = true
    /// Whether the response may have no end, so that a closed reader ends the program.
    var isEndless = false
    /// Whether the output ends before its next piece.
    var isCancelled: () -> Bool = { false }

    func write() {
        if includesHeader {
            for early in response.informational { writeHead(early.status, early.reason, early.headers) }
            writeHead(response.status, response.reason, response.headers)
        }
        if includesBody, !response.body.isEmpty { writeBody() }
        if !isCancelled() { writeTrailers() }
    }

    private func writeHead(_ status: Int, _ reason: String, _ headers: Headers) {
        let lines = ["HTTP/\(response.httpVersion) \(status) \(reason)"] + headers.fields.map { "\($0.name): \(FieldOctets.displayed($0.value))" }
        output.write(lines.map { VisibleLine.of($0) + "\n" }.joined() + "\n", isEndless: isEndless)
    }

    /// Writes the trailers after an empty line, or after the last line of a body that does not end with a line break.
    func writeTrailers() {
        guard includesHeader, !response.trailers.fields.isEmpty else { return }
        output.write("\n" + response.trailers.fields.map { VisibleLine.of("\($0.name): \($0.value)") + "\n" }.joined())
    }

    private func writeBody() {
        let body = response.body
        let isForPerson = output.isTerminal
        guard !isForPerson || body.count > BodyOutput.formattedLimit && BodyOutput.isPlain(body, contentType: response.contentType) else {
            return writeFormatted()
        }
        var pieces = BodyOutput(output)
        while !isCancelled(), pieces.writePiece(of: body, isComplete: true, until: isCancelled) {}
        if isForPerson, body[body.count - 1] != UInt8(ascii: "\n") { output.write("\n") }
    }

    /// For a person, JSON is formatted, other text is written without control characters, and other content is left out.
    private func writeFormatted() {
        var view = BodyView.make(bytes: response.body, contentType: response.contentType, isFinal: true)
        if view.kind == .binary {
            errors.line("sortie: the body is not text: \(ByteCount(response.body.count).text); -o FILE saves it")
            return
        }
        if view.kind != .json { view.show(.raw) }
        while !view.isComplete, !isCancelled() { view.advance(budget: 1 << 20) }
        var row = 0
        while row < view.rowCount, !isCancelled() {
            let rows = view.rows(row..<min(row + 512, view.rowCount))
            output.write(rows.map { VisibleText.of($0.spans.map(\.text).joined()) + "\n" }.joined(), until: isCancelled)
            row += 512
        }
    }
}
