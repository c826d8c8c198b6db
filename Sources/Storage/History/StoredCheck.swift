internal import SortieHTTP

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
        subject = check.subject
        expected = check.expected
        actual = check.actual
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
