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
        if let path = options.output, let response = exchange.response, exchange.error == nil {
            try BodyFile.write(response.body, to: path)
        }
        if output.json {
            StandardOutput.write(record.text + "\n")
        } else if let response = exchange.response {
            AnswerOutput(response: response, includesHeader: options.include, includesBody: options.output == nil).write()
        }
        let expectation = exchange.expectationResult
        if let error = exchange.error, expectation?.coversRefusal != true { throw CommandFailure(redaction.masked(error)) }
        if options.fail, let response = exchange.response, response.status >= 400 {
            let reason = response.reason.isEmpty ? "" : " \(response.reason)"
            throw CommandFailure(.response, name: "status", "the server answered \(response.status)\(reason)")
        }
        if let failures = expectation?.failures, let first = failures.first {
            let isPrepared = !failures.contains { $0.kind == .preparation }
            throw CommandFailure(
                isPrepared ? .response : .file, name: first.kind == .preparation ? "workspace" : "expectation",
                redaction.masked(failures.map(\.description).joined(separator: "; ")))
        }
    }

    private var record: JSONValue {
        let record = exchange.record(redaction: redaction, includesBody: options.output == nil)
        var more = more
        if let result = exchange.expectationResult {
            let failures = result.failures.map { $0.masked(by: redaction).json }
            more.append(.init("failures", .array(failures)))
        }
        guard case .object(let members) = record, !more.isEmpty else { return record }
        return .object(members + more)
    }
}
