internal import SortieBase
internal import SortieHTTP

/// The header section of a response as bytes.
///
/// The engine's thread collects them; ``HeaderBlock`` parses them when the header is needed.
///
/// One transfer may receive several blocks: informational responses, rounds of authentication and, after the body,
/// trailers. The last block is kept.
struct HeaderBytes: Sendable {
    /// The status of the last block; 0 before the first block.
    private(set) var status = 0
    /// Whether the empty line of a final (not informational) block was received.
    private(set) var isComplete = false
    /// The `Set-Cookie` fields of 401 challenges to which the engine responded and that another block followed.
    private(set) var challengeCookies = Headers()
    /// The informational responses before the last block, except 100, the first ones of many.
    private(set) var informational: [InformationalResponse] = []
    /// Whether the last block may have a `Content-Encoding` or a `Transfer-Encoding`; determined without parsing it.
    private(set) var mayHaveCodings = false
    /// Whether the last block may have several lengths, or a `Content-Length` that is no number or larger than any body; determined without parsing it.
    private(set) var mayHaveInvalidLength = false
    /// Whether the last block has a field that may be `Content-Length`.
    private var hasLength = false
    /// Whether the line after a status line begins with whitespace, so that it continues no field.
    private(set) var hasLeadingBlank = false
    private var bytes: [UInt8] = []
    private var byteCount = 0
    /// Whether the last line is a status line.
    private var isAtStart = false
    /// Whether the empty line of the last block is missing, so that no line is a status line.
    private var isOpen = false

    /// The largest accepted size of all header blocks in bytes, which bounds the memory a server can use.
    static let limit = 512 * 1024
    /// The maximum number of kept informational responses.
    private static let mostInformational = 16

    /// Appends one line with its line break.
    ///
    /// Returns false when the header exceeds ``limit``.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Bool {
        byteCount += line.count
        guard byteCount <= Self.limit else { return false }
        hasLeadingBlank = hasLeadingBlank || isAtStart && line.first?.isSpaceOrTab == true
        isAtStart = false
        if !isOpen, !isComplete || mayBeFollowed, Self.has(line, "http/") {
            begin(line)
            isOpen = true
            isAtStart = true
        } else if line.allSatisfy({ $0 == 0x0d || $0 == 0x0a }) {
            isOpen = false
            isComplete = isComplete || isFinal
        } else if line.count > 14, line[14] == UInt8(ascii: ":"), ASCII.lowercased(line[0]) == UInt8(ascii: "c") {
            // This comes before the codings, because the value may have a colon, too.
            // The largest 64-bit integer has 19 digits, which come after the name and a colon.
            mayHaveInvalidLength =
                mayHaveInvalidLength || hasLength || line.count >= 15 + 19
                || !line[15...].drop(while: \.isSpaceOrLineBreak).drop(while: ASCII.isDigit).allSatisfy(\.isSpaceOrLineBreak)
            hasLength = true
        } else if hasLength, line.first?.isSpaceOrLineBreak == true {
            // libcurl reads a length without the lines that continue it.
            mayHaveInvalidLength = true
        } else if line.count > 17, line[16] == UInt8(ascii: ":") || line[17] == UInt8(ascii: ":") {
            mayHaveCodings = mayHaveCodings || Self.isEncoding(line)
        }
        bytes.append(contentsOf: line)
        return true
    }

    private mutating func begin(_ line: UnsafeRawBufferPointer) {
        if status == 401 { challengeCookies.fields += block.headers.fields.filter { $0.isNamed("Set-Cookie") } }
        if (102..<200).contains(status), informational.count < Self.mostInformational {
            let early = block
            informational.append(InformationalResponse(status: early.status, reason: early.reason, headers: early.headers))
        }
        bytes.removeAll(keepingCapacity: true)
        bytes.reserveCapacity(512)
        isComplete = false
        mayHaveCodings = false
        mayHaveInvalidLength = false
        hasLength = false
        status = 0
        // Several spaces between version and status are accepted, as other clients do.
        let blank = UInt8(ascii: " ")
        guard let space = line.firstIndex(of: blank), let digits = line[space...].firstIndex(where: { $0 != blank }) else { return }
        status = HeaderBlock.status(in: UnsafeRawBufferPointer(rebasing: line[digits...])).value
    }

    /// Whether the last block belongs to a final response (RFC 9110 §15.2).
    ///
    /// 101 counts as final, because no other HTTP response follows it.
    var isFinal: Bool { status >= 200 || status == 101 }

    /// Whether another response of the same transfer may follow the last block.
    ///
    /// It may after an upgrade, a challenge to which the engine responds, and a refused `Expect`. Trailers follow the others, also where one begins like a
    /// status line.
    private var mayBeFollowed: Bool { [101, 401, 407, 417].contains(status) }

    /// Whether the last block came over HTTP/2.
    var isHTTP2: Bool { bytes.count > 5 && bytes[5] == UInt8(ascii: "2") }

    private static func isEncoding(_ line: UnsafeRawBufferPointer) -> Bool {
        has(line, "content-encoding:") || has(line, "transfer-encoding:")
    }

    /// Whether a line begins with a name in lower case, in any case, as libcurl also compares `HTTP/`.
    private static func has(_ line: UnsafeRawBufferPointer, _ name: StaticString) -> Bool {
        let name = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        return line.count >= name.count && zip(line, name).allSatisfy { ASCII.lowercased($0) == $1 }
    }

    /// The parsed header.
    var block: HeaderBlock { HeaderBlock(reading: bytes) }

    /// The response without its body, with the informational responses before it.
    var response: Response {
        var response = block.response
        response.informational = informational
        return response
    }
}

/// The header section of a response: status line, fields and, after the body, trailers.
struct HeaderBlock {
    private(set) var status = 0
    private(set) var reason = ""
    private(set) var httpVersion = ""
    private(set) var headers = Headers()
    private(set) var trailers = Headers()
    private var isComplete = false

    /// Parses the lines of the last header block and of the trailers, as libcurl delivered them.
    init(reading bytes: [UInt8]) {
        headers.fields.reserveCapacity(8)
        bytes.withUnsafeBytes { bytes in
            var start = 0
            while start < bytes.count {
                var end = start
                while end < bytes.count - 1, bytes[end] != UInt8(ascii: "\n") { end += 1 }
                // The block begins with its status line.
                take(Self.piece(bytes, start, end + 1), isFirst: start == 0)
                start = end + 1
            }
        }
    }

    // Pieces are buffers instead of slices, whose indices would be checked and converted for each byte of each response.
    private static func piece(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[start..<end])
    }

    private mutating func take(_ line: UnsafeRawBufferPointer, isFirst: Bool) {
        var end = line.count
        while end > 0, line[end - 1] == 0x0d || line[end - 1] == 0x0a { end -= 1 }
        let line = Self.piece(line, 0, end)
        if isFirst {
            begin(line)
        } else if line.isEmpty {
            isComplete = true
        } else if line[0].isSpaceOrTab {
            continueLast(line)
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            // libcurl refuses a response with another line.
            append(name: Self.piece(line, 0, colon), value: Self.piece(line, colon + 1, end))
        }
    }

    private mutating func begin(_ line: UnsafeRawBufferPointer) {
        var rest = line
        httpVersion = String(decoding: Self.word(from: &rest).dropFirst(5), as: UTF8.self)
        while rest.first == UInt8(ascii: " ") { rest = Self.piece(rest, 1, rest.count) }
        let digits = Self.status(in: rest)
        status = digits.value
        rest = Self.piece(rest, digits.count, rest.count)
        if rest.first?.isSpaceOrTab == true { rest = Self.piece(rest, 1, rest.count) }
        reason = Self.text(rest)
    }

    /// The status at the start of a part of a status line, and the number of its digits.
    ///
    /// libcurl accepts one that no space follows.
    static func status(in text: UnsafeRawBufferPointer) -> (value: Int, count: Int) {
        var (value, count) = (0, 0)
        for byte in text {
            guard ASCII.isDigit(byte), value < 1000 else { break }
            value = value * 10 + Int(byte - 0x30)
            count += 1
        }
        return (value, count)
    }

    /// Removes the first word and the blanks before it.
    private static func word(from rest: inout UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let blank = UInt8(ascii: " ")
        var start = 0
        while start < rest.count, rest[start] == blank { start += 1 }
        var end = start
        while end < rest.count, rest[end] != blank { end += 1 }
        defer { rest = piece(rest, min(end + 1, rest.count), rest.count) }
        return piece(rest, start, end)
    }

    private mutating func append(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        var (start, end) = (0, value.count)
        while start < end, value[start].isSpaceOrTab { start += 1 }
        while end > start, value[end - 1].isSpaceOrTab { end -= 1 }
        let name = HeaderBlock.text(name)
        let field = HeaderField(name, HeaderBlock.text(Self.piece(value, start, end), of: name))
        if isComplete { trailers.fields.append(field) } else { headers.fields.append(field) }
    }

    /// A line that begins with whitespace continues the previous field (obsolete folding, RFC 9112 §5.2).
    private mutating func continueLast(_ line: UnsafeRawBufferPointer) {
        guard !isComplete, var last = headers.fields.popLast() else { return }
        last.value += " " + HeaderBlock.text(line, of: last.name).drop(while: \.isSpaceOrTab)
        headers.fields.append(last)
    }

    /// UTF-8 where the bytes are valid UTF-8, else Latin-1, so that no byte is lost (RFC 9110 §5.5).
    ///
    /// Fields whose bytes are sent again are read by ``FieldOctets``.
    ///
    /// - Parameter field: The name of the field of which this is the value.
    private static func text(_ bytes: UnsafeRawBufferPointer, of field: String? = nil) -> String {
        // Most texts are ASCII, and their conversion is a fifth of that of other ones. Without an early end, several bytes are examined at once.
        var bits: UInt8 = 0
        for byte in bytes { bits |= byte }
        if bits < 0x80 { return String(decoding: bytes, as: UTF8.self) }
        switch field?.lowercased() {
        case "set-cookie", "etag": return FieldOctets.text(bytes)
        case "location": return FieldOctets.reference(bytes)
        default: break
        }
        return String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// The response without its body.
    var response: Response { response() }

    /// The response with its body.
    func response(body: BodyBytes = .empty, truncation: String? = nil, wireBytes: Int64 = 0, remoteAddress: String? = nil) -> Response {
        Response(
            status: status, reason: reason, httpVersion: httpVersion, headers: headers, trailers: trailers, body: body, truncation: truncation,
            wireBytes: wireBytes, remoteAddress: remoteAddress)
    }
}

extension Headers {
    /// The error for a `Content-Length` that is no 64-bit integer, and for several ones that differ, in one field or in several (RFC 9112 §6.3).
    ///
    /// Nil where the length does not count because of a `Transfer-Encoding`.
    var invalidLength: NetworkError? {
        guard !contains("Transfer-Encoding") else { return nil }
        let hint = "the server, or a proxy before it, is faulty or attacked; its response is not used"
        var lengths: [String] = []
        for part in values(of: "Content-Length").flatMap({ $0.split(separator: ",") }) {
            let length = String(part.trimming(\.isSpaceOrTab))
            // libcurl uses the first digits of such a text.
            guard length.utf8.allSatisfy(ASCII.isDigit) else {
                return NetworkError(.badResponse, "the response has an invalid length: Content-Length \(length)", hint: hint)
            }
            // libcurl ignores such a number, so any number of bytes would count as the whole body.
            guard length.isEmpty || Int64(length) != nil else {
                return NetworkError(.bodyTooLarge, "the response announces a body of \(length) bytes, which is larger than any", hint: hint)
            }
            if !length.isEmpty, !lengths.contains(length) { lengths.append(length) }
        }
        // libcurl uses the last field and the first number in it; an intermediary may use another one.
        guard lengths.count > 1 else { return nil }
        return NetworkError(.badResponse, "the response has different lengths: Content-Length \(lengths.joined(separator: " and "))", hint: hint)
    }
}
