internal import Model

/// The header of a response as bytes, collected on the engine's thread; ``HeaderBlock`` reads it where there is time.
///
/// Several blocks may come in one transfer: informational answers, rounds of authentication, and after the body the trailers. The last block stays.
struct HeaderBytes: Sendable {
    /// The status of the last block, 0 before there is one.
    private(set) var status = 0
    /// Whether the blank line of a final (not informational) block has come.
    private(set) var isComplete = false
    /// The `Set-Cookie` fields of challenges (401) that the engine answered, so that a last block came after them.
    private(set) var challengeCookies = Headers()
    private var bytes: [UInt8] = []
    private var byteCount = 0

    /// The most bytes of header that are taken, so that a server cannot fill the memory with it.
    static let limit = 512 * 1024

    /// Takes one line with its line break; false when the header is too large.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Bool {
        byteCount += line.count
        guard byteCount <= Self.limit else { return false }
        if line.count >= 5, line[0] == UInt8(ascii: "H"), line[1] == UInt8(ascii: "T"), line[2] == UInt8(ascii: "T"), line[3] == UInt8(ascii: "P"),
            line[4] == UInt8(ascii: "/")
        {
            begin(line)
        } else if isFinal, line.allSatisfy({ $0 == 0x0d || $0 == 0x0a }) {
            isComplete = true
        }
        bytes.append(contentsOf: line)
        return true
    }

    private mutating func begin(_ line: UnsafeRawBufferPointer) {
        if status == 401 { challengeCookies.fields += block.headers.fields.filter { $0.isNamed("Set-Cookie") } }
        bytes.removeAll(keepingCapacity: true)
        bytes.reserveCapacity(512)
        isComplete = false
        status = 0
        // Blanks between version and status may be several: a mistake that others forgive, too.
        let blank = UInt8(ascii: " ")
        guard let space = line.firstIndex(of: blank), let digits = line[space...].firstIndex(where: { $0 != blank }) else { return }
        for byte in line[digits...] {
            guard byte >= 0x30, byte <= 0x39, status < 1000 else { break }
            status = status * 10 + Int(byte - 0x30)
        }
    }

    /// Whether the last block is that of a final response (RFC 9110 §15.2): 101 is one, because no other HTTP response follows it.
    var isFinal: Bool { status >= 200 || status == 101 }

    /// Whether the last block is one of HTTP/2.
    var isHTTP2: Bool { bytes.count > 5 && bytes[5] == UInt8(ascii: "2") }

    /// The header, read.
    var block: HeaderBlock { HeaderBlock(reading: bytes) }
}
