internal import Foundation
internal import Model
internal import Terminal

/// Delivers what came of a request: to stdout, to a file, as a record; and ends the command as the contract says.
struct SendResult {
    let exchange: Exchange
    let options: ResultOptions
    let output: OutputOptions
    /// What is masked of what is told.
    let redaction: Redaction
    /// What a command adds to the record.
    var more: [JSONValue.Member] = []

    func deliver() throws {
        if let path = options.output, let response = exchange.response, exchange.error == nil {
            try BodyFile.write(response.body, to: path)
        }
        if output.json {
            StandardOutput.write(record.text + "\n")
        } else if let response = exchange.response {
            show(response)
        }
        if let error = exchange.error { throw CommandFailure(redaction.masked(error)) }
        if options.fail, let response = exchange.response, response.status >= 400 {
            let reason = response.reason.isEmpty ? "" : " \(response.reason)"
            throw CommandFailure(.response, name: "status", "the server answered \(response.status)\(reason)")
        }
    }

    private var record: JSONValue {
        let record = exchange.record(redaction: redaction, includesBody: options.output == nil)
        guard case .object(let members) = record, !more.isEmpty else { return record }
        return .object(members + more)
    }

    private func show(_ response: Response) {
        if options.include {
            var lines = ["HTTP/\(response.httpVersion) \(response.status) \(response.reason)"]
            lines += response.headers.fields.map { "\($0.name): \($0.value)" }
            StandardOutput.write(lines.map { VisibleLine.of($0) + "\n" }.joined() + "\n")
        }
        guard options.output == nil, !response.body.isEmpty else { return }
        guard StandardOutput.isTerminal else {
            response.body.withUnsafeBytes(in: 0..<response.body.count) { StandardOutput.write($0) }
            return
        }
        showToPerson(response)
    }

    /// A person's terminal gets JSON in lines, other text harmless, and nothing that is not text.
    private func showToPerson(_ response: Response) {
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
