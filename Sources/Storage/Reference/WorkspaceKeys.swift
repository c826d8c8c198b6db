/// The keys of one kind of mapping in workspace files.
///
/// The readers accept these keys and no others; the reference `WorkspaceKeys.md` lists them.
struct WorkspaceKeys: Hashable, Sendable {
    /// A key.
    struct Key: Hashable, Sendable {
        /// The name as it is written.
        let name: String
        /// The form of the value; another mapping is named between asterisks.
        let value: String
        /// The meaning.
        let summary: String

        init(_ name: String, _ value: String, _ summary: String) {
            (self.name, self.value, self.summary) = (name, value, summary)
        }
    }

    /// The heading in the reference.
    let heading: String
    /// Where the mapping is written.
    let place: String
    /// The keys in their canonical order.
    let keys: [Key]

    init(_ heading: String, _ place: String, _ keys: [Key]) {
        (self.heading, self.place, self.keys) = (heading, place, keys)
    }

    /// The names in their canonical order.
    var names: [String] { keys.map(\.name) }

    /// All mappings, in the order of the reference.
    static let all: [WorkspaceKeys] = [
        .workspace, .environment, .secret, .vault, .defaults, .folders, .service, .https, .switchServers, .limits, .trust, .proxy, .tunnel,
        .addresses, .envelope,
        .endpoint, .row, .auth, .login, .oauth2, .awsSigV4, .jwt, .apiKey, .body, .graphQL, .text, .file, .part, .timeout, .retry, .cache, .download,
        .page,
        .expect, .snapshot,
        .condition,
        .parameters, .rule, .answer,
        .run,
        .step, .parallel, .grpc, .hook, .endpointPlugins, .token, .refresh, .sign, .errorFilter, .signals, .debugLog, .encrypt, .aesGCM,
    ]
}
