/// Why a value that a text needs could not be fetched, where no file has a mistake: the request or the program that gives the value failed.
package struct ValueFailure: Hashable, Sendable {
    /// The category of the failure.
    package enum Kind: Hashable, Sendable {
        /// No response, or no output, arrived.
        case network
        /// A response arrived that does not have the value.
        case response
    }

    /// The category of the failure.
    package var kind: Kind
    /// The name of the error, such as `timedOut`.
    package var name: String
    /// The hint for a separate line; nil without one.
    package var hint: String?

    /// Creates a failure.
    package init(_ kind: Kind, name: String, hint: String? = nil) {
        self.kind = kind
        self.name = name
        self.hint = hint
    }
}
