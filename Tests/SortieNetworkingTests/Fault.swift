import Support

@testable import SortieNetworking

/// A server with a fault that a seed selects, the request for it, and the results that are right.
///
/// The first connection has the fault. All later ones respond with the target of the request as the body.
struct Fault: Sendable {
    /// A kind of fault.
    typealias Kind = @Sendable (inout SeededGenerator) -> Fault

    /// The script of the first connection.
    var script: Script
    /// The right bytes of the body, of which a response with an error has a beginning; nil for any bytes.
    var body: [UInt8]?
    /// The right errors.
    var codes: Set<NetworkError.Code>
    /// Whether a response without an error is right.
    var mayComplete: Bool
    /// Whether the request uses TLS.
    var isSecure = false
    /// Changes the request to one that meets the fault.
    var configure: @Sendable (inout Request) -> Void = { _ in }

    /// A fault that leaves the response as it is.
    static func harmless(_ body: [UInt8], _ steps: [Step]) -> Fault { Fault(script: Script(steps), body: body, codes: [], mayComplete: true) }

    /// A fault that is always an error.
    static func failing(_ codes: Set<NetworkError.Code>, _ body: [UInt8]?, _ steps: [Step]) -> Fault {
        Fault(script: Script(steps), body: body, codes: codes, mayComplete: false)
    }

    /// A fault with which some responses are complete and right, and others an error.
    static func either(_ codes: Set<NetworkError.Code>, _ body: [UInt8]?, _ steps: [Step]) -> Fault {
        Fault(script: Script(steps), body: body, codes: codes, mayComplete: true)
    }

    /// The fault for a request whose limit of the time without a byte is short, so that the silence of the server ends it.
    var impatient: Fault { with { $0.options.timeouts.idle = .milliseconds(50) } }

    /// The fault for a request whose total time is short, because the server never stops sending.
    var hurried: Fault { with { $0.options.timeouts.total = .milliseconds(40) } }

    /// The fault for a request that is changed further.
    func with(_ change: @escaping @Sendable (inout Request) -> Void) -> Fault {
        var copy = self
        copy.configure = { [configure] request in
            configure(&request)
            change(&request)
        }
        return copy
    }

    /// The errors of a connection that ends or sends other bytes than HTTP.
    static let anyBreak: Set<NetworkError.Code> = [.connectionLost, .emptyResponse, .badResponse, .truncatedBody, .badEncoding, .timedOut]
}

// MARK: - Responses

/// A response with random size, framing and coding.
struct FaultSample {
    var answer: HTTPAnswer
    /// The decoded body.
    var body: [UInt8]
    var isCoded: Bool

    /// - Parameter untilClose: whether the end of the connection may be the end of the body.
    init(_ random: inout SeededGenerator, from least: Int = 0, untilClose: Bool = false, isCoded: Bool? = nil) {
        self.isCoded = isCoded ?? (Int.random(in: 0..<4, using: &random) == 0)
        let most = [20, 3000, self.isCoded ? 10_000 : 100_000].randomElement(using: &random) ?? 20
        body = ServedFile(Int.random(in: least...most, using: &random), seed: random.next()).bytes
        answer = HTTPAnswer.ok(bytes: body)
        if self.isCoded { answer = .ok(bytes: Self.gzip(body), headers: [("Content-Encoding", "gzip")]) }
        switch Int.random(in: 0..<(untilClose ? 3 : 2), using: &random) {
        case 0: break
        case 1: answer.framing = .chunked(size: answer.body.count / Int.random(in: 1...30, using: &random) + 1, trailers: [("X-End", "1")])
        default: answer.framing = .untilClose
        }
    }

    /// The bytes in the steps of a server that sends them at once, in a few pieces, the beginning by byte, or slowly.
    static func deliver(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [Step] {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return [.sendBytes(bytes)]
        case 1:
            let places = (0..<5).map { _ in Int.random(in: 0...bytes.count, using: &random) }.sorted()
            return zip([0] + places, places + [bytes.count]).flatMap { [Step.sendBytes(Array(bytes[$0..<$1])), .pause(.milliseconds(1))] }
        case 2: return [.sendSlowly(Array(bytes.prefix(200)), chunk: 1, every: .zero), .sendBytes(Array(bytes.dropFirst(200)))]
        default: return [.sendSlowly(bytes, chunk: bytes.count / 6 + 1, every: .milliseconds(2))]
        }
    }

    /// The bytes in stored blocks of gzip (RFC 1951 §3.2.4, RFC 1952), so that a byte of the body is the same byte on the wire.
    static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        func little(_ number: UInt32, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        var result: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
        var start = 0
        repeat {
            let end = min(start + 65_535, bytes.count)
            let length = UInt32(end - start)
            result += [end == bytes.count ? 1 : 0] + little(length, 2) + little(~length, 2) + bytes[start..<end]
            start = end
        } while start < bytes.count
        var checksum = ~UInt32(0)
        for byte in bytes {
            checksum ^= UInt32(byte)
            for _ in 0..<8 { checksum = checksum >> 1 ^ (checksum & 1 == 0 ? 0 : 0xEDB8_8320) }
        }
        return result + little(~checksum, 4) + little(UInt32(bytes.count), 4)
    }
}
