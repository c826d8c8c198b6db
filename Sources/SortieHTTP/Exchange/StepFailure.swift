/// One reason why a step of a run failed.
public struct StepFailure: Hashable, Codable, Sendable {
    /// Whose fault it is.
    public enum Kind: String, Hashable, Codable, Sendable {
        /// An answer came and is not what was expected, or lacks what should be captured.
        case expectation
        /// The business envelope or the status was refused.
        case response
        /// No answer came.
        case network
        /// The step could not be sent: a template, a file.
        case preparation
    }

    /// Whose fault it is.
    public var kind: Kind
    /// What was looked at: `status`, `$.code`, `header ETag`, `under`, or the error's name.
    public var subject: String
    /// What was expected; nil where nothing particular was.
    public var expected: String?
    /// What was there, cut where it is long.
    public var actual: String

    /// A reason.
    public init(_ kind: Kind, subject: String, expected: String? = nil, actual: String) {
        self.kind = kind
        self.subject = subject
        self.expected = expected
        self.actual = actual.count > 200 ? actual.prefix(200) + "…" : actual
    }

    /// The reason of a call that gave no usable answer.
    public init(_ error: NetworkError) {
        let kind: Kind =
            switch error.errorClass {
            case .transport: .network
            case .http, .business: .response
            case .client: [.shutDown, .internalFailure, .pluginFailed].contains(error.code) ? .network : .preparation
            }
        self.init(kind, subject: error.code.rawValue, actual: error.message)
    }
}

extension StepFailure {
    /// The failure without secrets.
    public func masked(by redaction: Redaction) -> StepFailure {
        var masked = self
        let name = ["header ", "capture "].first(where: subject.hasPrefix).map { String(subject.dropFirst($0.count)) } ?? subject
        let isSecret = kind == .expectation && expected != nil && redaction.isSecretPath(name) && actual != "nothing"
        masked.actual = isSecret ? HeaderField.mask : redaction.masked(actual)
        masked.expected = expected.map { redaction.masked($0) }
        return masked
    }
}

extension StepFailure: CustomStringConvertible {
    /// `status: expected 200, got 503`, or the error's name and sentence.
    public var description: String {
        guard let expected else { return "\(subject): \(actual)" }
        return "\(subject): expected \(expected), got \(actual)"
    }
}
