/// The parameters of a download: request, destination and rules.
public struct Download: Hashable, Sendable {
    /// The location of the finished file.
    public enum Destination: Hashable, Sendable {
        /// This file.
        case file(String)
        /// A file in this folder, named by the server or the URL.
        case folder(String)
    }

    /// How to handle an existing file of the same name.
    public enum Collision: String, Hashable, Codable, Sendable, CaseIterable {
        /// Replaces the existing file when the new one is complete.
        case replace
        /// Names the new file `name (1)`.
        case keepBoth = "keep-both"
        /// Downloads nothing.
        case fail
    }

    /// The request.
    ///
    /// It is sent as GET over HTTP/1.1 without compression.
    public var request: Request
    /// The location of the file.
    public var destination: Destination
    /// How to handle an existing file.
    ///
    /// Nil replaces a file that the user named and keeps a file whose name the server or the URL gives, so that no
    /// server chooses which file is overwritten.
    public var collision: Collision?
    /// Whether an existing partial file is discarded.
    public var beginsAfresh = false
    /// Whether a partial file is continued without a validator that proves that the remote file is unchanged.
    public var allowsUnvalidated = false
    /// The expected digest of the file.
    public var expectedDigest: FileDigest?
    /// Whether the digest of the file is reported even without a digest to compare it with.
    public var wantsDigest = false
    /// The rate limit in bytes per second; nil for none.
    public var rateLimit: Int64?
    /// The number of connections that fetch the file in parallel, from 1 to 4 (`ResumeRules.md` 5.7).
    ///
    /// More than one is used only where the server guarantees the same file for all of them (by a strong entity tag
    /// and support of ranges), and only for a file of at least 8 MiB.
    public var connections = 1
    /// The number of consecutive attempts that may fail without receiving any byte.
    ///
    /// The initial value is the limit of the request's retry policy, where that is above 0.
    public var retryLimit = 5
    /// The first pause after a failure.
    ///
    /// It doubles with every further failure.
    public var retryPause = Duration.seconds(1)

    /// Creates a download with the default rules.
    public init(_ request: Request, to destination: Destination) {
        (self.request, self.destination) = (request, destination)
        if let limit = request.options.retry?.limit, limit > 0 { retryLimit = limit }
    }

    /// The longest pause before another attempt, unless the server requests a longer one.
    package static let longestPause = Duration.seconds(30)

    /// The largest number of connections of one download, to spare the host (`ResumeRules.md` 5.7).
    package static let mostConnections = 4

    /// The smallest file that several connections fetch, in bytes.
    package static let leastForSegments: Int64 = 8 << 20

    /// How often one download may restart from its first byte.
    package static let mostRestarts = 2

    /// Identifies a download by its URL, variant and destination.
    ///
    /// Credentials and values that change with every request are excluded. One value per line; callers store a digest
    /// of the text.
    package func identity(destination: String) -> String {
        var url = request.url
        url.query = nil
        let items = (request.url.query ?? "").split(separator: "&").sorted().joined(separator: "&")
        let variant = ["Accept", "Accept-Language", "Accept-Charset"].flatMap { request.headers.values(of: $0) }
        return (["GET", url.description, items, destination] + variant).joined(separator: "\n")
    }
}
