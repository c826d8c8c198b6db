/// What became of one `Set-Cookie` field.
public struct CookieVerdict: Hashable, Sendable {
    /// What was done.
    public enum Outcome: Hashable, Sendable {
        /// It is in the jar now.
        case stored
        /// It took the place of the one that was there.
        case replaced
        /// Its end lies in the past, so the one that was there is gone.
        case deleted
        /// Its end lies in the past, and none was there.
        case expired
        /// It was not taken, for this reason.
        case refused(String)
    }

    /// The cookie's name; where the field has none, its text up to the first `;`.
    public var name: String
    /// The cookie; nil where the field makes none.
    public var cookie: Cookie?
    /// What was done.
    public var outcome: Outcome

    /// A verdict.
    public init(name: String, cookie: Cookie?, outcome: Outcome) {
        self.name = name
        self.cookie = cookie
        self.outcome = outcome
    }

    /// Whether the jar has changed.
    public var changesJar: Bool {
        switch outcome {
        case .stored, .replaced, .deleted: true
        case .expired, .refused: false
        }
    }

    /// What was done, in a sentence that names the cookie and not its value.
    public var text: String {
        switch outcome {
        case .stored: "stored \(name)"
        case .replaced: "replaced \(name)"
        case .deleted: "deleted \(name), which has expired"
        case .expired: "did not store \(name), which has expired already"
        case .refused(let reason): "refused \(name): \(reason)"
        }
    }
}
