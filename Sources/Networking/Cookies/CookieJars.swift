internal import Synchronization

/// The jars of a client, by name: one for each environment, so that a login at a test server is not one at the real thing.
public final class CookieJars: Sendable {
    private let jars: Mutex<[String: CookieJar]>

    /// Jars by the environment's name, the empty one for requests without an environment; others are made when they are first asked for.
    public init(_ jars: [String: CookieJar] = [:]) {
        self.jars = Mutex(jars)
    }

    /// The jar of an environment.
    public subscript(environment: String?) -> CookieJar {
        jars.withLock { jars in
            let name = environment ?? ""
            if let jar = jars[name] { return jar }
            let jar = CookieJar()
            jars[name] = jar
            return jar
        }
    }
}
