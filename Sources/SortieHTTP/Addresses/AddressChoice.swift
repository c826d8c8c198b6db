internal import SortieBase

/// Why an attempt used its address, with the scores at that time.
public struct AddressChoice: Hashable, Sendable {
    /// The reason.
    public enum Reason: String, Hashable, Sendable {
        /// There is no other address.
        case only
        /// No address has a score; this one was first in the DNS response.
        case first
        /// The address is in use, and no rule replaces it.
        case inUse
        /// The address is out of use and is probed by a few requests.
        case probe
        /// The attempts at the preceding addresses failed.
        case next
    }

    /// The reason.
    public var reason: Reason
    /// The number of available addresses.
    public var count: Int
    /// The score of the address.
    public var standing: AddressScore

    /// Creates a choice.
    package init(_ reason: Reason, count: Int, standing: AddressScore) {
        self.reason = reason
        self.count = count
        self.standing = standing
    }

    /// The choice in JSON, for `--json`.
    package var record: JSONValue { ["reason": .string(reason.rawValue), "of": .integer(count), "standing": standing.record] }

    /// The choice as text for display.
    public var text: String {
        switch reason {
        case .only: "the only address"
        case .first: "the first of \(count)"
        case .inUse: "in use, of \(count); \(standing.text)"
        case .probe: "a probe, of \(count); \(standing.text)"
        case .next: "the next of \(count); \(standing.text)"
        }
    }
}
