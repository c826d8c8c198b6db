/// A route: its pattern, a summary for `GET /`, and its handler.
struct Route: Sendable {
    /// The accepted methods; empty for any.
    ///
    /// A GET route also accepts HEAD.
    let methods: [String]
    /// The path pattern.
    ///
    /// Segments are literal or `{name}`; a final `*` matches any remaining segments.
    let path: String
    let summary: String
    let handle: @Sendable (Call) async throws -> Reply

    init(_ methods: [String], _ path: String, _ summary: String, handle: @escaping @Sendable (Call) async throws -> Reply) {
        self.methods = methods
        self.path = path
        self.summary = summary
        self.handle = handle
    }

    static func get(_ path: String, _ summary: String, handle: @escaping @Sendable (Call) async throws -> Reply) -> Route {
        Route(["GET"], path, summary, handle: handle)
    }

    func answers(_ method: String) -> Bool {
        methods.isEmpty || methods.contains(method) || (method == "HEAD" && methods.contains("GET"))
    }
}
