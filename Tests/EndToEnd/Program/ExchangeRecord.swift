import Foundation
import Support

/// The record of `--json`, with every key and type of the contract; decoding fails where a key is missing or has another type.
struct ExchangeRecord: Decodable {
    struct Request: Decodable {
        let method: String
        let url: String
        let headers: [[String]]
        let bodyBytes: Int
        @Nullable var body: String?
    }

    struct Response: Decodable {
        let status: Int
        let reason: String
        let httpVersion: String
        let headers: [[String]]
        let bodyBytes: Int
        @Nullable var charset: String?
        @Nullable var body: String?
        let bodyEncoding: String
        @Nullable var remoteAddress: String?
        /// Present only where the body is in a file.
        let bodyFile: String?
        /// Present only where the body could not be decoded.
        let notice: String?
        let fromCache: Bool
    }

    struct Timing: Decodable {
        let nameLookup: Double
        let connect: Double
        let tls: Double
        let firstByte: Double
        let total: Double
        let queued: Double
    }

    struct Attempt: Decodable {
        @Nullable var address: String?
        let server: String
        let connectionReused: Bool
        @Nullable var status: Int?
        @Nullable var error: String?
        let delay: Double
        let queued: Double
        let total: Double
    }

    struct Failure: Decodable {
        let `class`: String
        let code: String
        let legacyCode: Int
        let message: String
        @Nullable var underlying: String?
    }

    let id: String
    @Nullable var endpoint: String?
    @Nullable var environment: String?
    let request: Request
    @Nullable var response: Response?
    let timing: Timing
    let duration: Double
    let attempts: [Attempt]
    @Nullable var value: AnyValue?
    @Nullable var error: Failure?

    /// Parses the single line that a command printed.
    init(_ run: ProcessRun) throws {
        guard run.output.hasSuffix("\n"), run.output.split(separator: "\n").count == 1 else {
            throw ProgramSaidOtherwise("one line with a record", run)
        }
        do {
            self = try JSONDecoder().decode(ExchangeRecord.self, from: Data(run.outputBytes))
        } catch {
            throw ProgramSaidOtherwise("a record of the contract's shape (\(error))", run)
        }
    }
}

/// A key that must be present and may be null; a plain optional would accept a missing key.
@propertyWrapper
struct Nullable<Value: Decodable>: Decodable {
    var wrappedValue: Value?

    init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
    }
}

extension Nullable: Sendable where Value: Sendable {}

/// The error for unexpected output of the program.
struct ProgramSaidOtherwise: Error, CustomStringConvertible {
    let description: String

    init(_ wanted: String, _ run: ProcessRun) { description = "wanted \(wanted), got \(run)" }
}

extension ExchangeRecord.Request {
    /// The values of all header fields with this name, in the order sent.
    func values(of name: String) -> [String] { headers.filter { $0.first?.lowercased() == name.lowercased() }.map { $0[1] } }
}

extension ExchangeRecord.Response {
    /// The values of all header fields with this name, in the order received.
    func values(of name: String) -> [String] { headers.filter { $0.first?.lowercased() == name.lowercased() }.map { $0[1] } }
}

/// Any JSON value, because the result of the envelope depends on the service.
struct AnyValue: Decodable {
    init(from decoder: any Decoder) throws {}
}
