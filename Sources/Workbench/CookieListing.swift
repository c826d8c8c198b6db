public import Model

public import struct FoundationEssentials.Date

/// What is asked of the jar of an environment.
public enum CookieRequest: Hashable, Sendable {
    /// What is in it.
    case list
    /// Put cookies in; the one that was edited goes first.
    case put([Cookie], replacing: Cookie?)
    /// Take cookies out.
    case remove([Cookie])
    /// Add those of a file in the format of Netscape; the path is as typed.
    case importFile(String)
    /// Write them into a file in the format of Netscape; one that is there is only replaced where `overwrites` is true.
    case exportFile(String, overwrites: Bool)
}

/// What is in a jar, after what was asked was done.
public struct CookieListing: Hashable, Sendable {
    /// The cookies that have not ended.
    public var cookies: [Cookie]
    /// When they were read.
    public var readAt: Date
    /// How importing or exporting went; nil where nobody wants to know.
    public var outcome: JobOutcome?

    /// A listing.
    public init(_ cookies: [Cookie], readAt: Date, outcome: JobOutcome? = nil) {
        self.cookies = cookies
        self.readAt = readAt
        self.outcome = outcome
    }
}
