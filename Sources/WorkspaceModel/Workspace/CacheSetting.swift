package import SortieHTTP

/// `cache:` of an endpoint: how long its responses are used again, where they are stored, and how.
package struct CacheSetting: Hashable, Codable, Sendable {
    /// The lifetime where the file has none: 60 s.
    package static let defaultLifetime = Duration.seconds(60)

    /// How long a cached response may be served without revalidation.
    package var lifetime: Duration
    /// Whether responses are also stored on disk.
    package var isOnDisk: Bool
    /// How stored responses are used.
    package var policy: RequestOptions.CachePolicy
    /// A template for a value on which responses depend beside the request, such as the ID of a user.
    package var tag: String?

    /// Creates a setting.
    package init(
        lifetime: Duration = defaultLifetime, isOnDisk: Bool = false, policy: RequestOptions.CachePolicy = .use, tag: String? = nil
    ) {
        (self.lifetime, self.isOnDisk, self.policy, self.tag) = (lifetime, isOnDisk, policy, tag)
    }

    /// The words for ``isOnDisk``.
    package static let place = ScalarCodec<Bool>.words([false: "until the program ends", true: "for later commands and sessions, too"]) {
        $0 ? "disk" : "memory"
    }
    /// The words for ``policy``.
    package static let policies = ScalarCodec<RequestOptions.CachePolicy>.words([
        .use: "while it is fresh, else revalidate", .revalidate: "ask the server each time", .reload: "ignore and replace what is stored",
        .cacheElseLoad: "regardless of its age, else send", .cacheOnly: "regardless of its age, never send",
    ])
}
