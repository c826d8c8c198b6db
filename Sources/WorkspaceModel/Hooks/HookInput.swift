internal import FoundationEssentials
internal import SortieBase
package import SortieHTTP

/// What a hook receives on its standard input: one line of JSON.
package struct HookInput: Sendable {
    /// The largest body in the input, in bytes; of a larger one, the input has only the length.
    package static let bodyLimit = 8 << 20

    private var members: [JSONValue.Member]

    /// Creates the input of a stage.
    ///
    /// - Parameters:
    ///   - stage: The stage.
    ///   - request: The request with the changes of earlier stages. Nothing in it is masked.
    ///   - attempt: The number of the attempt, from 1; 0 before the first.
    ///   - isDryRun: Whether nothing will be sent.
    package init(_ stage: HookSetting.Stage, _ request: Request, call: RequestID, attempt: Int, isDryRun: Bool = false) {
        members = [
            .init("stage", .string(stage.rawValue)), .init("call", .string(call.description)), .init("attempt", .integer(attempt)),
            .init("dryRun", .bool(isDryRun)), .init("endpoint", .optional(request.target)),
            .init("environment", .optional(request.environment)), .init("request", Self.record(of: request)),
        ]
    }

    /// Adds the outcome of the attempt or of the call.
    package mutating func add(_ response: Response?, error: NetworkError? = nil, seconds: Double? = nil) {
        members.append(.init("response", response.map(Self.record) ?? .null))
        if let seconds { members.append(.init("seconds", .seconds(seconds))) }
        if let error { members.append(.init("error", error.record)) }
    }

    /// The JSON on one line, without the newline.
    package var line: [UInt8] { Array(JSONValue.object(members).text.utf8) }

    private static func record(of request: Request) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("method", .string(request.method.rawValue)), .init("url", .string(request.url.description)),
            .init("headers", request.headers.record),
        ]
        switch request.body {
        case .none: members.append(.init("body", .null))
        case .bytes(let bytes, let contentType):
            members += body(BodyBytes(bytes))
            if let contentType { members.append(.init("bodyType", .string(contentType))) }
        case .file(let path, let contentType):
            members.append(.init("bodyFile", .string(path)))
            if let contentType { members.append(.init("bodyType", .string(contentType))) }
        case .multipart(let parts):
            members.append(.init("bodyType", "multipart/form-data"))
            members.append(.init("parts", .array(parts.map { .string($0.name) })))
        }
        return .object(members)
    }

    private static func record(of response: Response) -> JSONValue {
        .object(
            [
                .init("status", .integer(response.status)), .init("reason", .string(response.reason)),
                .init("httpVersion", .string(response.httpVersion)), .init("headers", response.headers.record),
            ] + body(response.body))
    }

    /// A body as text, or in Base64 where it is not UTF-8.
    private static func body(_ bytes: BodyBytes) -> [JSONValue.Member] {
        guard bytes.count <= bodyLimit else { return [.init("bodyBytes", .integer(bytes.count))] }
        if let text = bytes.withUnsafeBytes({ String(validating: $0, as: UTF8.self) }) { return [.init("body", .string(text))] }
        return [.init("bodyBase64", .string(Data(bytes.bytes(in: 0..<bytes.count)).base64EncodedString()))]
    }
}
