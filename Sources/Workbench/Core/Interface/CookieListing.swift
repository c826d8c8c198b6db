package import SortieHTTP

package import struct FoundationEssentials.Date

/// A request to the cookie jar of an environment.
package enum CookieRequest: Hashable, Sendable {
    /// List the cookies.
    case list
    /// Store cookies; `replacing` is the edited cookie, which is removed first.
    case put([Cookie], replacing: Cookie?)
    /// Remove cookies.
    case remove([Cookie])
    /// Import a file in the Netscape format; the path is as typed.
    case importFile(String)
    /// Export to a file in the Netscape format; an existing file is only replaced when `overwrites` is true.
    case exportFile(String, overwrites: Bool)
}

/// The contents of a cookie jar after a ``CookieRequest``.
package struct CookieListing: Hashable, Sendable {
    /// The cookies that have not expired.
    package var cookies: [Cookie]
    /// The time of reading.
    package var readAt: Date
    /// The result of an import or export; nil for other requests.
    package var outcome: JobOutcome?

    /// Creates a listing.
    package init(_ cookies: [Cookie], readAt: Date, outcome: JobOutcome? = nil) {
        self.cookies = cookies
        self.readAt = readAt
        self.outcome = outcome
    }
}
