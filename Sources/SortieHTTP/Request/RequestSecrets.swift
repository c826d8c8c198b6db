/// The secrets of a request, and the hosts that may receive them (`Security.md` 7).
///
/// They are collected while the templates of the request are resolved, and never stored.
public struct RequestSecrets: Hashable, Sendable {
    /// A secret that is restricted by `hosts:`.
    package struct Restricted: Hashable, Sendable {
        /// The secret's name in the workspace.
        package var name: String
        /// The value.
        package var value: String
        /// The hosts that may receive it.
        package var hosts: [HostPattern]

        /// Creates a restricted secret.
        package init(name: String, value: String, hosts: [HostPattern]) {
            (self.name, self.value, self.hosts) = (name, value, hosts)
        }

        /// Whether a host, given as a name or a numeric address, may receive the secret.
        package func permits(_ host: String) -> Bool { hosts.contains { $0.matches(host) } }
    }

    /// A secret, an environment variable or a file that a template used.
    package struct Use: Hashable, Sendable {
        /// The name in the notation of templates: `pw`, `$env.NAME`, `$file PATH`.
        package var name: String
        /// The value.
        package var value: String

        /// Creates a use.
        package init(name: String, value: String) { (self.name, self.value) = (name, value) }
    }

    /// A value of an earlier response that a template used.
    package struct Captured: Hashable, Sendable {
        /// The target of the endpoint that captured it.
        package var target: String
        /// The complete value; an item of a list may be all that is sent.
        package var value: String

        /// Creates a use.
        package init(target: String, value: String) { (self.target, self.value) = (target, value) }
    }

    /// The values that templates used: secrets, environment variables, texts of files, values typed by the user, values captured by steps of a
    /// run.
    public var values: Set<String> = []
    /// The values percent-encoded as in a query or form with another charset than UTF-8.
    package var encodedValues: Set<String> = []
    /// The names under `redact:` of the workspace.
    public var names: Set<String> = []
    /// The API keys by the names of their header fields or parameters, which do not denote a credential by themselves.
    package var keys: [String: String] = [:]
    /// The secrets that only certain hosts may receive.
    package var restricted: Set<Restricted> = []
    /// The secrets, environment variables and files that templates used.
    package var uses: Set<Use> = []
    /// The values of earlier responses that templates used; few, and possibly long.
    package var captures: [Captured] = []

    /// Creates an empty collection.
    public init() {}

    /// Whether the request has only the secrets of every request: fields and parameters with the name of a credential.
    public var isEmpty: Bool { values.isEmpty && names.isEmpty && restricted.isEmpty && uses.isEmpty && captures.isEmpty && keys.isEmpty }

    /// Adds the secrets of another collection.
    package mutating func formUnion(_ other: RequestSecrets) {
        values.formUnion(other.values)
        encodedValues.formUnion(other.encodedValues)
        names.formUnion(other.names)
        keys.merge(other.keys) { $1 }
        restricted.formUnion(other.restricted)
        uses.formUnion(other.uses)
        captures += other.captures.filter { !captures.contains($0) }
    }
}
