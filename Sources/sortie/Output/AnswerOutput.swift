internal import Model
internal import Terminal

/// An answer on stdout: its body as it is for a program, harmless for a person's terminal.
struct AnswerOutput {
    let response: Response
    /// Whether status and header fields come first.
    let includesHeader: Bool
    /// Whether the body is there at all.
    var includesBody = true

    func write() {
        if includesHeader {
            var lines = ["HTTP/\(response.httpVersion) \(response.status) \(response.reason)"]
            lines += response.headers.fields.map { "\($0.name): \($0.value)" }
            StandardOutput.write(lines.map { VisibleLine.of($0) + "\n" }.joined() + "\n")
        }
        guard includesBody, !response.body.isEmpty else { return }
        guard StandardOutput.isTerminal else {
            response.body.withUnsafeBytes(in: 0..<response.body.count) { StandardOutput.write($0) }
            return
        }
        writeToPerson()
    }

    /// A person's terminal gets JSON in lines, other text harmless, and nothing that is not text.
    private func writeToPerson() {
        var view = BodyView.make(bytes: response.body, contentType: response.contentType, isFinal: true)
        while !view.isComplete { view.advance(budget: 1 << 20) }
        if case .binary = view.kind {
            StandardError.line("sortie: the body is not text: \(ByteCount(response.body.count).text); -o FILE keeps it")
            return
        }
        var row = 0
        while row < view.rowCount {
            let rows = view.rows(row..<min(row + 512, view.rowCount))
            StandardOutput.write(rows.map { VisibleText.of($0.spans.map(\.text).joined()) + "\n" }.joined())
            row += 512
        }
    }
}
