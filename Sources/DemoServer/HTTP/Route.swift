/// One route: what it matches, a line about it for `GET /`, and what it does.
struct Route: Sendable {
    /// The methods it answers; empty means any, and a route for GET answers HEAD too.
    let methods: [String]
    /// Segments are literal or `{name}`; a last `*` stands for anything below.
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
