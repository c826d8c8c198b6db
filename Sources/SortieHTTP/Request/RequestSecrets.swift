/// What is secret in a request, and which hosts may receive it (`Security.md` 7).
///
/// It is collected while the templates of the request are resolved and never stored.
public struct RequestSecrets: Hashable, Sendable {
    /// A secret that `hosts:` restricts.
    public struct Restricted: Hashable, Sendable {
        /// The secret's name in the workspace.
        public var name: String
        /// Its value.
        public var value: String
        /// The hosts that may receive it.
        public var hosts: [HostPattern]

        /// A secret.
        public init(name: String, value: String, hosts: [HostPattern]) {
            (self.name, self.value, self.hosts) = (name, value, hosts)
        }

        /// Whether a host, a name or a numeric address, may receive it.
        public func permits(_ host: String) -> Bool { hosts.contains { $0.matches(host) } }
    }

    /// A secret, an environment variable or a file that a template used.
    public struct Use: Hashable, Sendable {
        /// As templates name it: `pw`, `$env.NAME`, `$file PATH`.
        public var name: String
        /// Its value.
        public var value: String

        /// A use.
        public init(name: String, value: String) { (self.name, self.value) = (name, value) }
    }

    /// The values that templates used: secrets, environment variables, texts of files, what a user typed, what steps of a run captured.
    public var values: Set<String> = []
    /// The values as a query and a form have them in another charset than UTF-8, percent-encoded (S0.31).
    public var encodedValues: Set<String> = []
    /// The names that the workspace has under `redact:`.
    public var names: Set<String> = []
    /// The secrets that only some hosts may receive.
    public var restricted: Set<Restricted> = []
    /// The secrets, environment variables and files that templates used.
    public var uses: Set<Use> = []

    /// Nothing.
    public init() {}

    /// Whether there is nothing beside what every request has: fields and parameters with the name of a credential.
    public var isEmpty: Bool { values.isEmpty && names.isEmpty && restricted.isEmpty && uses.isEmpty }

    /// Adds others.
    public mutating func formUnion(_ other: RequestSecrets) {
        values.formUnion(other.values)
        encodedValues.formUnion(other.encodedValues)
        names.formUnion(other.names)
        restricted.formUnion(other.restricted)
        uses.formUnion(other.uses)
    }
}
