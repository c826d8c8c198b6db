internal import Model
internal import Terminal

/// An answer on stdout: its body as it is for a program, harmless for a person's terminal.
struct AnswerOutput {
    let response: Response
    /// Whether status and header fields come first.
    let includesHeader: Bool
    /// Whether the body is there at all.
    var includesBody = true

    /// How much of a body is looked at, and thus in memory, at once.
    private static let chunkSize = 4 << 20

    func write() {
        if includesHeader {
            var lines = ["HTTP/\(response.httpVersion) \(response.status) \(response.reason)"]
            lines += response.headers.fields.map { "\($0.name): \($0.value)" }
            StandardOutput.write(lines.map { VisibleLine.of($0) + "\n" }.joined() + "\n")
        }
        guard includesBody, !response.body.isEmpty else { return }
        guard StandardOutput.isTerminal else {
            for start in stride(from: 0, to: response.body.count, by: Self.chunkSize) {
                response.body.withUnsafeBytes(in: start..<start + Self.chunkSize) { StandardOutput.write($0) }
                response.body.releaseMemory()
            }
            return
        }
        writeToPerson()
    }

    /// A person's terminal gets JSON in lines, other text harmless, and nothing that is not text.
    private func writeToPerson() {
        var view = BodyView.make(bytes: response.body, contentType: response.contentType, isFinal: true)
        while !view.isComplete { view.advance(budget: 1 << 20) }
        if case .binary = view.kind {
            StandardError.line("sortie: the body is not text: \(ByteCount(response.body.count).text); -o FILE saves it")
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
