/// Why an attempt went to the address it went to, with the numbers of that moment (S3.8, S3.9).
public struct AddressChoice: Hashable, Sendable {
    /// Why.
    public enum Reason: String, Hashable, Sendable {
        /// There is no other.
        case only
        /// Nothing is known of any; it came first in the answer (S3.8).
        case first
        /// It is in use, and no rule says to leave it.
        case inUse
        /// It was left for a while and is tried again, by few requests.
        case probe
        /// The attempts at others before it failed.
        case next
    }

    /// Why.
    public var reason: Reason
    /// How many addresses there are to choose from.
    public var count: Int
    /// What is known of it.
    public var standing: AddressStanding

    /// A choice.
    public init(_ reason: Reason, count: Int, standing: AddressStanding) {
        self.reason = reason
        self.count = count
        self.standing = standing
    }

    /// The choice and its numbers, for `--json`.
    public var record: JSONValue { ["reason": .string(reason.rawValue), "of": .integer(count), "standing": standing.record] }

    /// The reason and the numbers, in words.
    public var text: String {
        switch reason {
        case .only: "the only address"
        case .first: "the first of \(count)"
        case .inUse: "in use, of \(count); \(standing.text)"
        case .probe: "tried again after a while, of \(count); \(standing.text)"
        case .next: "the next of \(count); \(standing.text)"
        }
    }
}
