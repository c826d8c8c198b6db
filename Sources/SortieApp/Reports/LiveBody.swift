internal import SortieHTTP
internal import SortieTerminal

/// Writes a body to stdout while it arrives: text without a `Content-Length`, such as server-sent events, which may have no end.
///
/// The bytes are those that are written after the end of other bodies. A request that may be repeated after a failure is excluded, because its bytes
/// could not be withdrawn.
struct LiveBody {
    /// The number of written bytes of the response; nil where it is written after its end.
    private(set) var written: Int?
    private let isPossible: Bool
    private let includesHeader: Bool
    private let program: ProgramContext
    private let isTerminal: Bool

    init(_ request: Request, in program: ProgramContext, options: ResultOptions, output: OutputOptions) {
        let mayBeRepeated = (request.options.retry?.limit ?? 0) > 0 || !request.otherServers.isEmpty
        isPossible = !output.json && options.format == nil && options.file == nil && !mayBeRepeated
        self.program = program
        isTerminal = program.output.isTerminal
        includesHeader = options.include
    }

    mutating func report(_ event: CallEvent) {
        switch event {
        case .responded(let head): begin(head)
        case .grew(let body): write(body, isComplete: false)
        default: break
        }
    }

    /// Writes the rest of the response.
    mutating func finish(_ response: Response) { write(response.body, isComplete: true) }

    private mutating func begin(_ head: Response) {
        written = nil
        guard isPossible, head.status < 400, !head.headers.contains("Content-Length") else { return }
        let type = ContentType(head.contentType)
        // JSON is formatted on a terminal, and text in another encoding is converted as a whole.
        let isUnchanged = !isTerminal || (type.kind == .text && type.charset ?? "utf-8" == "utf-8")
        guard type.kind == .text || type.isJSONLines, isUnchanged else { return }
        written = 0
        if includesHeader {
            ResponseOutput(output: program.output, errors: program.errors, response: head, includesHeader: true, includesBody: false).write()
        }
    }

    private mutating func write(_ body: BodyBytes, isComplete: Bool) {
        guard let start = written, start < body.count else { return }
        written = body.withUnsafeBytes(in: start..<body.count) { bytes in
            guard isTerminal else {
                program.output.write(bytes)
                return body.count
            }
            // Complete lines, so that no character and no control sequence is divided.
            let count = isComplete ? bytes.count : bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            program.output.write(VisibleText.of(String(decoding: bytes.prefix(count), as: UTF8.self)))
            return start + count
        }
    }
}
