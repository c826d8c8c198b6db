/// A download that is wanted: what, where to, and how.
public struct Download: Hashable, Sendable {
    /// Where the finished file goes.
    public enum Destination: Hashable, Sendable {
        /// This file.
        case file(String)
        /// Into this folder, under the name that the server or the URL gives (S0.11, S2.37).
        case folder(String)
    }

    /// What happens when a file is there already under that name (S2.37).
    public enum Collision: String, Hashable, Sendable, CaseIterable {
        /// The new file takes its place once it is whole.
        case replace
        /// The new one is called `name (1)`.
        case keepBoth = "keep-both"
        /// Nothing is downloaded.
        case fail
    }

    /// The request; it is sent as GET over HTTP/1.1 without compression.
    public var request: Request
    /// Where the file goes.
    public var destination: Destination
    /// What happens when it is there already; nil replaces a file that a person named and keeps one whose name the server or the URL gave, so that
    /// no server chooses which file is lost.
    public var collision: Collision?
    /// Whether a part that is there is dropped (S2.32).
    public var beginsAfresh = false
    /// Whether a part is continued although nothing tells that the file is still the same one.
    public var allowsUnvalidated = false
    /// The digest that the file must have.
    public var expectedDigest: FileDigest?
    /// Whether the digest of the file is told also where nothing is to be compared with it.
    public var wantsDigest = false
    /// The most bytes a second; nil for no limit.
    public var rateLimit: Int64?
    /// How many connections may fetch the file at once, from 1 to ``mostConnections`` (§5.7).
    ///
    /// More than one are used only where the server vouches that all of them give the same file: by a strong entity tag and by answering ranges; and
    /// only for a file of ``leastForSegments`` bytes or more.
    public var connections = 1
    /// How many attempts in a row may fail without bringing anything.
    ///
    /// Begins with the limit of the request's retry policy, where that is above 0.
    public var retryLimit = 5
    /// How long the first pause after a failure is; it doubles with every further one.
    public var retryPause = Duration.seconds(1)

    /// A download with the usual rules.
    public init(_ request: Request, to destination: Destination) {
        self.request = request
        self.destination = destination
        if let limit = request.options.retry?.limit, limit > 0 { retryLimit = limit }
    }

    /// The longest pause before another attempt, unless the server asks for a longer one.
    public static let longestPause = Duration.seconds(30)

    /// The most connections of one download: what one host should be asked for (§5.7).
    public static let mostConnections = 4

    /// How large a file is at least that several connections fetch, in bytes.
    public static let leastForSegments: Int64 = 8 << 20

    /// How often one download may begin again with its first byte.
    public static let mostRestarts = 2

    /// What makes two downloads the same one: what is asked for, in which variant, and where it goes.
    ///
    /// Credentials and what changes with every request are no part of it. One word in each line, to be digested.
    public func identity(destination: String) -> String {
        var url = request.url
        url.query = nil
        let items = (request.url.query ?? "").split(separator: "&").sorted().joined(separator: "&")
        let variant = ["Accept", "Accept-Language", "Accept-Charset"].flatMap { request.headers.values(of: $0) }
        return (["GET", url.description, items, destination] + variant).joined(separator: "\n")
    }
}
