/// An item of a workspace that has a name and can be renamed, moved, duplicated and deleted.
package enum WorkspaceItem: Hashable, Sendable {
    /// An endpoint.
    case endpoint(EndpointID)
    /// A folder of endpoints below a service, by its path such as `shop/orders`.
    case folder(String)
    /// A service, by its folder.
    case service(String)
    /// A run, by its name.
    case run(String)
    /// An environment, by its name.
    case environment(String)

    /// The name in the files: a path without the file extension, or the name of an environment.
    package var name: String {
        switch self {
        case .endpoint(let id): id.path
        case .folder(let name), .service(let name), .run(let name), .environment(let name): name
        }
    }

    /// The same kind of item with another name.
    package func named(_ name: String) -> WorkspaceItem {
        switch self {
        case .endpoint: .endpoint(EndpointID(name))
        case .folder: .folder(name)
        case .service: .service(name)
        case .run: .run(name)
        case .environment: .environment(name)
        }
    }

    /// The kind in messages.
    package var kind: String {
        switch self {
        case .endpoint: "endpoint"
        case .folder: "folder"
        case .service: "service"
        case .run: "run"
        case .environment: "environment"
        }
    }

    /// The reason why the name cannot be used for this kind of item; nil for a usable name.
    package var nameProblem: String? {
        let isPath = if case .endpoint = self { true } else if case .folder = self { true } else { false }
        if case .environment = self {
            if name.isEmpty { return "enter a name" }
            if name.contains("/") { return "the name of an environment has no “/”" }
            return name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f } ? "a name has no control characters" : nil
        }
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for part in parts {
            if part.isEmpty { return name.isEmpty ? "enter a name" : "“/” separates two names; write a name on each side" }
            if part.first == UInt8(ascii: ".") { return "a name cannot begin with a dot" }
            if part.count > 200 { return "a name has at most 200 bytes" }
            if part.contains(where: { $0 < 0x20 || $0 == 0x7f }) { return "a name has no control characters" }
        }
        switch self {
        case .service where parts.count > 1: return "a service is a folder beside the others; its name has no “/”"
        case .service("runs"): return "the folder runs contains the runs; choose another name"
        case .endpoint where parts.count < 2: return "an endpoint is in a service; write SERVICE/NAME"
        case .endpoint where name.hasSuffix("/service"): return "the file service.yaml describes the service; choose another name"
        case .folder where parts.count < 2: return "a folder is in a service; write SERVICE/NAME"
        default: break
        }
        return isPath && parts.first.map { Substring($0) } == "runs" ? "the folder runs contains the runs; choose another name" : nil
    }
}
