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
    private let cancellation: Cancellation

    /// The number of bytes that are converted and written at once; between two pieces a signal ends the output.
    private static let pieceSize = 256 << 10
    /// The number of bytes that are written before the next event, which may be the end of the call.
    private static let mostAtOnce = 4 << 20

    /// - Parameter cancellation: Ends the output.
    init(_ request: Request, in program: ProgramContext, options: ResultOptions, output: OutputOptions, cancellation: Cancellation) {
        self.cancellation = cancellation
        let mayBeRepeated = (request.options.retry?.limit ?? 0) > 0 || !request.otherServers.isEmpty
        isPossible = !output.json && options.format == nil && options.file == nil && !mayBeRepeated
        self.program = program
        isTerminal = program.output.isTerminal
        includesHeader = options.include
    }

    mutating func report(_ event: CallEvent) {
        switch event {
        case .responded(let head): begin(head)
        case .grew(let body): write(body, isComplete: false, atMost: Self.mostAtOnce)
        default: break
        }
    }

    /// Writes the rest of the response.
    ///
    /// A terminal is slower than a server: of a call that has failed, for example at its time limit, it gets no more than of another event.
    ///
    /// - Returns: The number of bytes that were received and are not written.
    mutating func finish(_ response: Response, hasFailed: Bool) -> Int {
        write(response.body, isComplete: true, atMost: hasFailed && isTerminal ? Self.mostAtOnce : .max)
        let left = response.body.count - (written ?? 0)
        if includesHeader, left == 0, !cancellation.isCancelled {
            ResponseOutput(output: program.output, errors: program.errors, response: response, includesHeader: true).writeTrailers()
        }
        return left
    }

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

    private mutating func write(_ body: BodyBytes, isComplete: Bool, atMost limit: Int) {
        guard var offset = written else { return }
        let end = limit < body.count - offset ? offset + limit : body.count
        while offset < end, !cancellation.isCancelled {
            let pieceEnd = min(offset + Self.pieceSize, end)
            let isLast = isComplete && pieceEnd == body.count
            let isWhole = pieceEnd - offset == Self.pieceSize
            let count = body.withUnsafeBytes(in: offset..<pieceEnd) { bytes -> Int in
                guard isTerminal else {
                    program.output.write(bytes)
                    return bytes.count
                }
                let count = isLast ? bytes.count : Self.visibleCount(bytes, isWhole: isWhole)
                program.output.write(VisibleText.of(String(decoding: bytes.prefix(count), as: UTF8.self)))
                return count
            }
            body.releaseMemory()
            guard count > 0 else { break }
            offset += count
        }
        written = offset
    }

    /// The number of bytes that can be written before the following ones are known: complete lines, so that no character is divided.
    ///
    /// - Parameter isWhole: Whether the piece has its full size; a longer line is divided between two characters of ASCII, or anywhere.
    private static func visibleCount(_ bytes: UnsafeRawBufferPointer, isWhole: Bool) -> Int {
        if let lineFeed = bytes.lastIndex(of: UInt8(ascii: "\n")) { return lineFeed + 1 }
        guard isWhole else { return 0 }
        return bytes.indices.dropFirst().last { bytes[$0] < 0x80 && bytes[$0 - 1] < 0x80 && bytes[$0 - 1] != 0x0D } ?? bytes.count
    }
}
