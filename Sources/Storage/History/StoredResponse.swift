internal import Foundation
internal import SortieHTTP
internal import WorkspaceModel

/// A response without its body, as stored in the history.
struct StoredResponse: Codable {
    var status: Int
    var reason: String
    var httpVersion: String
    var headers: [[String]]
    var trailers: [[String]]
    /// The informational responses; absent where there are none.
    var informational: [StoredInformationalResponse]?
    var truncation: String?
    var wireBytes: Int64
    var remoteAddress: String?
    var isFromCache: Bool

    init(_ response: Response) {
        (status, reason, httpVersion) = (response.status, response.reason, response.httpVersion)
        headers = response.headers.pairs
        trailers = response.trailers.pairs
        informational = response.informational.isEmpty ? nil : response.informational.map(StoredInformationalResponse.init)
        (truncation, wireBytes, remoteAddress, isFromCache) = (response.truncation, response.wireBytes, response.remoteAddress, response.isFromCache)
    }

    /// The restored response.
    func response(body: BodyBytes) -> Response {
        var response = Response(
            status: status, reason: reason, httpVersion: httpVersion, headers: Headers(pairs: headers), trailers: Headers(pairs: trailers),
            body: body, truncation: truncation, wireBytes: max(0, wireBytes), remoteAddress: remoteAddress, isFromCache: isFromCache)
        response.informational = informational?.map(\.response) ?? []
        return response
    }
}

/// An informational response, as stored in the history.
struct StoredInformationalResponse: Codable {
    var status: Int
    var reason: String
    var headers: [[String]]

    init(_ response: InformationalResponse) { (status, reason, headers) = (response.status, response.reason, response.headers.pairs) }

    /// The restored response.
    var response: InformationalResponse { InformationalResponse(status: status, reason: reason, headers: Headers(pairs: headers)) }
}

/// The timing of an attempt, as stored in the history.
struct StoredTiming: Codable {
    var queued: StoredSeconds
    var nameLookup: StoredSeconds
    var connect: StoredSeconds
    var tls: StoredSeconds
    var requestStart: StoredSeconds
    var firstByte: StoredSeconds
    var total: StoredSeconds

    init(_ timing: Timing) {
        (queued, nameLookup, connect) = (StoredSeconds(timing.queued), StoredSeconds(timing.nameLookup), StoredSeconds(timing.connect))
        (tls, requestStart) = (StoredSeconds(timing.tls), StoredSeconds(timing.requestStart))
        (firstByte, total) = (StoredSeconds(timing.firstByte), StoredSeconds(timing.total))
    }

    /// The restored timing.
    var timing: Timing {
        var timing = Timing()
        (timing.queued, timing.nameLookup, timing.connect, timing.tls) = (queued.value, nameLookup.value, connect.value, tls.value)
        (timing.requestStart, timing.firstByte, timing.total) = (requestStart.value, firstByte.value, total.value)
        return timing
    }
}

/// The error of a call, as stored in the history.
struct StoredError: Codable {
    var errorClass: String
    var code: String
    var message: String
    var hint: String?
    /// The hint for the workbench; nil where it is the same.
    var workbenchHint: String?
    var businessCode: String?
    var underlying: String?
    /// The time limit that was exceeded.
    var timeLimit: String?
    var attempt: Int?
    var timing: StoredTiming?

    init(_ error: NetworkError) {
        errorClass = error.errorClass.rawValue
        code = error.code.rawValue
        message = error.message
        hint = error.programHint
        workbenchHint = error.workbenchHint == hint ? nil : error.workbenchHint
        (businessCode, underlying) = (error.businessCode, error.underlying)
        timeLimit = error.timeLimit?.rawValue
        attempt = error.attempt
        timing = error.timing.map(StoredTiming.init)
    }

    /// The restored error.
    ///
    /// A code of another version becomes `internalFailure`.
    var error: NetworkError {
        var error = NetworkError(NetworkError.Code(rawValue: code) ?? .internalFailure, message, hint: hint, underlying: underlying)
        if let hint, let workbenchHint { error.remedy = .stored(program: hint, workbench: workbenchHint) }
        error.errorClass = NetworkError.Class(rawValue: errorClass) ?? error.errorClass
        error.businessCode = businessCode
        error.timeLimit = timeLimit.flatMap { NetworkError.TimeLimit(rawValue: $0) }
        error.attempt = attempt
        error.timing = timing?.timing
        return error
    }
}

/// The storage of a body.
struct StoredBody: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        /// The body is empty or missing.
        case none
        /// The bytes are in the row.
        case inline([UInt8])
        /// The bytes are in a file, named by its digest.
        case file(digest: String, size: Int64)
    }

    var content = Content.none
    /// The reason why the body is missing; nil when it is stored.
    var missing: String?

    static func missing(_ reason: String) -> StoredBody { StoredBody(missing: reason) }

    var digest: String? {
        if case .file(let digest, _) = content { digest } else { nil }
    }

    var inlineData: Data? {
        if case .inline(let bytes) = content { Data(bytes) } else { nil }
    }

    var inlineCount: Int {
        if case .inline(let bytes) = content { bytes.count } else { 0 }
    }
}

/// A check that a hook reported, as stored in the history.
struct StoredCheck: Codable {
    var key: String
    var outcome: String
    var subject: String
    var expected: String?
    var actual: String

    init(_ check: ExchangeCheck) {
        key = check.key.rawValue
        outcome = check.outcome.rawValue
        (subject, expected, actual) = (check.subject, check.expected, check.actual)
    }

    /// The restored check.
    ///
    /// A check of a kind, or with an outcome, of another version is one of a hook that was not compared.
    var check: ExchangeCheck {
        ExchangeCheck(
            ExchangeCheck.Key(rawValue: key) ?? .hook, ExchangeCheck.Outcome(rawValue: outcome) ?? .skipped, subject: subject, expected: expected,
            actual: actual)
    }
}
