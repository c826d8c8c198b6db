internal import Foundation
internal import Model

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
        var bodyFile: String?
        if let path = options.output, let response = exchange.response, exchange.error == nil {
            try BodyFile.write(response.body, to: path)
            bodyFile = path
        }
        if let notice = exchange.undecodedNotice { StandardError.line("sortie: warning: \(notice)") }
        if output.json {
            var bodies = RecordBodies()
            if options.output == nil { bodyFile = try bodies.file(for: exchange.response) }
            StandardOutput.write(record(bodyFile: bodyFile).text + "\n")
        } else if let response = exchange.response {
            AnswerOutput(response: response, includesHeader: options.include, includesBody: options.output == nil).write()
        }
        if let error = exchange.error { throw CommandFailure(redaction.masked(error)) }
        if options.fail, let response = exchange.response, response.status >= 400 {
            let reason = response.reason.isEmpty ? "" : " \(response.reason)"
            throw CommandFailure(.response, name: "status", "the server answered \(response.status)\(reason)")
        }
    }

    private func record(bodyFile: String?) -> JSONValue {
        let record = exchange.record(redaction: redaction, bodyFile: bodyFile, includesBody: options.output == nil)
        guard case .object(let members) = record, !more.isEmpty else { return record }
        return .object(members + more)
    }
}
