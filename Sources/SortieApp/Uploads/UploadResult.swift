internal import SortieHTTP

/// Prints the result of an upload request as `send` does, and a confirmation on a terminal.
struct UploadResult {
    let program: ProgramContext
    let item: UploadItem
    let exchange: Exchange
    let options: ResultOptions
    let output: OutputOptions
    /// The masking rules of the output.
    let redaction: Redaction

    func deliver() throws {
        let more: [JSONValue.Member] = [
            .init("upload", ["file": .optional(item.file), "bytes": .integer(exchange.sentBodyBytes)])
        ]
        try SendResult(program: program, exchange: exchange, options: options, output: output, redaction: redaction, more: more).deliver()
        guard program.errors.isTerminal, !output.json, let response = exchange.response else { return }
        let reason = response.reason.isEmpty ? "" : " \(response.reason)"
        program.errors.line("\(item.name): \(ByteCount(exchange.sentBodyBytes).text) sent, \(response.status)\(reason)")
    }
}
