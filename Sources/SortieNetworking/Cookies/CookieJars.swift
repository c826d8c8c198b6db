internal import Synchronization

/// The cookie jars of a client, one for each environment, so that a login at a test server does not apply to the production server.
public final class CookieJars: Sendable {
    private let jars: Mutex<[String: CookieJar]>
    private let make: @Sendable (String) -> CookieJar

    /// Creates jars by the name of their environment; the empty name is for requests without an environment.
    ///
    /// - Parameters:
    ///   - jars: Jars that exist already.
    ///   - make: Creates a missing jar at its first use, one at a time; an empty jar by default.
    public init(_ jars: [String: CookieJar] = [:], making make: @escaping @Sendable (String) -> CookieJar = { _ in CookieJar() }) {
        self.jars = Mutex(jars)
        self.make = make
    }

    /// The jar of an environment; nil for requests without one.
    public subscript(environment: String?) -> CookieJar {
        jars.withLock { jars in
            let name = environment ?? ""
            if let jar = jars[name] { return jar }
            let jar = make(name)
            jars[name] = jar
            return jar
        }
    }
}
