package import SortieBase

/// One reason why a step of a run failed.
package struct StepFailure: Hashable, Sendable {
    /// The category of a failure.
    package enum Kind: String, Hashable, Sendable {
        /// A response arrived and does not meet an expectation, or lacks a captured value.
        case expectation
        /// The business envelope or the status rejects the response.
        case response
        /// No response arrived.
        case network
        /// The step could not be prepared, for example because of a template or a file.
        case preparation
    }

    /// The category of the failure.
    package var kind: Kind
    /// The checked part: `status`, `$.code`, `header ETag`, `under`, or the error's name.
    package var subject: String
    /// The expected value; nil where there is no particular one.
    package var expected: String?
    /// The actual value; a long one is truncated when it is masked, because a part of a secret would not be masked.
    package var actual: String
    /// Whether a hook reported it, which takes the ``subject`` and the expected value from the response; those of other failures are in the file of the
    /// endpoint.
    package var isReported = false
    /// What the user can do about a step that could not be prepared; nil where the place of the problem says it, and for stored failures.
    package var remedy: Diagnostic.Remedy?

    /// The number of characters of ``actual`` that are displayed.
    private static let displayed = 200
    /// The number that is kept before it is masked.
    private static let kept = 65_536

    /// Creates a reason.
    package init(_ kind: Kind, subject: String, expected: String? = nil, actual: String) {
        (self.kind, self.subject, self.expected) = (kind, subject, expected)
        self.actual = Self.cut(actual, to: Self.kept)
    }

    /// The beginning of a value that is kept until it is masked.
    static func kept(_ text: String) -> String { cut(text, to: kept) }

    /// The beginning of a masked value that is displayed.
    static func shortened(_ text: String) -> String { cut(text, to: displayed) }

    private static func cut(_ text: String, to count: Int) -> String {
        // The bytes are counted first, because counting characters takes time for a large body.
        guard text.utf8.count > count, let end = text.index(text.startIndex, offsetBy: count, limitedBy: text.endIndex) else { return text }
        return end == text.endIndex ? text : text[..<end] + "…"
    }

    /// Creates the reason for a request without a usable response.
    package init(_ error: NetworkError) {
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
    /// Returns the failure with secrets masked.
    package func masked(by redaction: Redaction) -> StepFailure {
        var masked = self
        let name = ExchangeCheck.name(in: subject, orAfter: "capture ")
        let isSecret = kind == .expectation && (expected != nil || isReported) && redaction.isSecretPath(name) && actual != "nothing"
        masked.actual = isSecret ? HeaderField.mask : Self.shortened(redaction.masked(actual))
        masked.expected = expected.map { isReported && isSecret ? HeaderField.mask : redaction.masked($0) }
        if isReported { masked.subject = redaction.masked(subject) }
        return masked
    }
}

extension StepFailure: CustomStringConvertible {
    /// `status: expected 200, got 503`, or the error's name and message.
    package var description: String {
        guard let expected else { return "\(subject): \(actual)" }
        return "\(subject): expected \(expected), got \(actual)"
    }
}
