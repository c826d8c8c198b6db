internal import SortieHTTP

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
                let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count - 1
                take(UnsafeRawBufferPointer(rebasing: bytes[start...end]))
                start = end + 1
            }
        }
    }

    private mutating func take(_ line: UnsafeRawBufferPointer) {
        var line = line[...]
        while let last = line.last, last == 0x0d || last == 0x0a { line = line.dropLast() }
        if isStatusLine(line) {
            begin(line)
        } else if line.isEmpty {
            isComplete = true
        } else if let first = line.first, first != 0x20, first != 0x09, let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            append(name: line[..<colon], value: line[(colon + 1)...])
        } else {
            continueLast(line)
        }
    }

    private func isStatusLine(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard line.count >= 5 else { return false }
        let start = line.startIndex
        return line[start] == UInt8(ascii: "H") && line[start + 1] == UInt8(ascii: "T") && line[start + 2] == UInt8(ascii: "T")
            && line[start + 3] == UInt8(ascii: "P") && line[start + 4] == UInt8(ascii: "/")
    }

    private mutating func begin(_ line: Slice<UnsafeRawBufferPointer>) {
        var rest = line
        func nextWord() -> UnsafeRawBufferPointer {
            let blank = UInt8(ascii: " ")
            while rest.first == blank { rest = rest.dropFirst() }
            let end = rest.firstIndex(of: blank) ?? rest.endIndex
            defer { rest = rest[end...].dropFirst() }
            return UnsafeRawBufferPointer(rebasing: rest[..<end])
        }
        httpVersion = String(decoding: nextWord().dropFirst(5), as: UTF8.self)
        status = Int(String(decoding: nextWord(), as: UTF8.self)) ?? 0
        reason = String(decoding: UnsafeRawBufferPointer(rebasing: rest), as: UTF8.self)
    }

    private mutating func append(name: Slice<UnsafeRawBufferPointer>, value: Slice<UnsafeRawBufferPointer>) {
        var value = value
        while let first = value.first, first == 0x20 || first == 0x09 { value = value.dropFirst() }
        while let last = value.last, last == 0x20 || last == 0x09 { value = value.dropLast() }
        let field = HeaderField(String(decoding: UnsafeRawBufferPointer(rebasing: name), as: UTF8.self), HeaderBlock.text(value))
        if isComplete { trailers.fields.append(field) } else { headers.fields.append(field) }
    }

    /// A line that begins with whitespace continues the previous field (obsolete folding, RFC 9112 §5.2).
    ///
    /// A line without a colon is treated the same way.
    private mutating func continueLast(_ line: Slice<UnsafeRawBufferPointer>) {
        guard !isComplete, var last = headers.fields.popLast() else { return }
        last.value += " " + HeaderBlock.text(line).drop { $0 == " " || $0 == "\t" }
        headers.fields.append(last)
    }

    /// UTF-8 where the bytes are valid UTF-8, else Latin-1, so that no byte is lost (RFC 9110 §5.5).
    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        let bytes = UnsafeRawBufferPointer(rebasing: bytes)
        // Most values are ASCII, which needs no validation.
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        return String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// The response without its body.
    var response: Response {
        Response(status: status, reason: reason, httpVersion: httpVersion, headers: headers, trailers: trailers)
    }
}
