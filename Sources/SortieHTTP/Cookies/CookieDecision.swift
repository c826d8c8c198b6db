/// The decision about one `Set-Cookie` field.
public struct CookieDecision: Hashable, Sendable {
    /// The kind of the decision.
    public enum Outcome: Hashable, Sendable {
        /// The cookie was added to the jar.
        case stored
        /// The cookie replaced an existing one.
        case replaced
        /// The cookie has expired, and an existing one was removed.
        case deleted
        /// The cookie has expired, and none existed.
        case expired
        /// The cookie was rejected for the given reason.
        case refused(String)
    }

    /// The name of the cookie; where the field has none, its text up to the first `;`.
    public var name: String
    /// The cookie; nil where the field contains none.
    public var cookie: Cookie?
    /// The kind of the decision.
    public var outcome: Outcome

    /// Creates a decision.
    package init(name: String, cookie: Cookie?, outcome: Outcome) {
        self.name = name
        self.cookie = cookie
        self.outcome = outcome
    }

    /// Whether the decision changed the jar.
    public var changesJar: Bool {
        switch outcome {
        case .stored, .replaced, .deleted: true
        case .expired, .refused: false
        }
    }

    /// The decision as a phrase that contains the name of the cookie but not its value.
    public var text: String {
        switch outcome {
        case .stored: "stored \(name)"
        case .replaced: "replaced \(name)"
        case .deleted: "deleted \(name), which has expired"
        case .expired: "did not store \(name), which has already expired"
        case .refused(let reason): "refused \(name): \(reason)"
        }
    }
}
