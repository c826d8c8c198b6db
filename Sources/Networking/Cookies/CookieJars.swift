internal import Synchronization

/// The jars of a client, by name: one for each environment, so that a login at a test server is not one at the real thing.
public final class CookieJars: Sendable {
    private let jars: Mutex<[String: CookieJar]>
    private let make: @Sendable (String) -> CookieJar

    /// Jars by the environment's name, the empty one for requests without an environment.
    ///
    /// - Parameter make: makes others when they are first asked for, one at a time; empty ones where nothing is said.
    public init(_ jars: [String: CookieJar] = [:], making make: @escaping @Sendable (String) -> CookieJar = { _ in CookieJar() }) {
        self.jars = Mutex(jars)
        self.make = make
    }

    /// The jar of an environment.
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
