import Foundation

/// The content of a file of a workspace in the model of a session, by meaning: without notation and comments.
enum SessionFile: Hashable, Sendable {
    case settings(Settings)
    case service(Service)
    case endpoint(Request)
    case run(Run)
    /// The file of a body.
    case body(String)

    struct Settings: Hashable, Sendable {
        /// The names, with the value of the variable `host`; nil for none.
        var environments: [(name: String, host: String?)] = []
        var initial: String?

        static func == (left: Settings, right: Settings) -> Bool {
            left.initial == right.initial && left.environments.elementsEqual(right.environments) { $0.name == $1.name && $0.host == $1.host }
        }

        func hash(into hasher: inout Hasher) { hasher.combine(environments.map(\.name)) }
    }

    struct Service: Hashable, Sendable {
        var name: String?
        /// The server of each environment.
        var servers: [String: String] = [:]
    }

    struct Row: Hashable, Sendable {
        var name: String
        var value: String
        var isEnabled = true
    }

    enum Body: Hashable, Sendable {
        case none
        case json(String)
        case text(String)
        /// A file, by its path in the workspace.
        case file(String, isText: Bool)
    }

    struct Request: Hashable, Sendable {
        var name: String
        var summary: String?
        var method = "GET"
        var path: String
        var query: [Row] = []
        var headers: [Row] = []
        var body = Body.none
    }

    struct Run: Hashable, Sendable {
        var kind: String
        var steps: [String]
    }

    /// The value that a parser of YAML reads, in a form that compares independent of notation; `file` is the path in the workspace.
    func record(of file: String) -> [String: Any] {
        func rows(_ rows: [Row]) -> [[Any]] { rows.map { [$0.name, $0.value, $0.isEnabled] } }
        switch self {
        case .settings(let settings):
            return [
                "kind": "settings", "environments": settings.environments.map { [$0.name, $0.host as Any? ?? NSNull()] },
                "initial": settings.initial as Any? ?? NSNull(),
            ]
        case .service(let service): return ["kind": "service", "name": service.name as Any? ?? NSNull(), "servers": service.servers]
        case .endpoint(let request):
            let body: [Any] =
                switch request.body {
                case .none: []
                case .json(let text): ["json", text]
                case .text(let text): ["text", text]
                case .file(let path, _): ["file", path]
                }
            return [
                "kind": "endpoint", "name": request.name, "description": request.summary as Any? ?? NSNull(), "method": request.method,
                "path": request.path, "query": rows(request.query), "headers": rows(request.headers), "body": body,
            ]
        case .run(let run): return ["kind": "run", "type": run.kind, "steps": run.steps]
        case .body(let text): return ["kind": "body", "text": text]
        }
    }
}
