internal import SortieBase
internal import Synchronization

/// The places of the services of a workspace and of their endpoints, by folder, target and captured value; made for the first search.
///
/// Each value of ``Workspace/services`` has its index, which copies of the workspace share. Indices are equal, because they have what the services have.
final class WorkspaceIndex: Hashable, Sendable {
    /// The indices of a service and of an endpoint in it.
    typealias Place = (service: Int, endpoint: Int)

    private struct Places {
        var services: [String: Int] = [:]
        var endpoints: [String: Place] = [:]
        /// The endpoints that capture a value, by its names such as `login.token` and `shop/login.token`.
        var captures: [String: [Place]] = [:]

        init(_ services: [Service]) {
            // Indices, because services and endpoints are large values, of which a loop would copy each.
            for service in services.indices {
                if self.services[services[service].folder] == nil { self.services[services[service].folder] = service }
                for endpoint in services[service].endpoints.indices {
                    let target = services[service].endpoints[endpoint].target
                    if endpoints[target] == nil { endpoints[target] = (service, endpoint) }
                    for capture in services[service].endpoints[endpoint].captures {
                        for step in Set([target, FilePath.name(of: target)]) {
                            captures["\(step).\(capture.name)", default: []].append((service, endpoint))
                        }
                    }
                }
            }
        }
    }

    private let places = Mutex<Places?>(nil)

    private func found<Result>(in services: [Service], _ find: (Places) -> Result) -> Result {
        places.withLock { places in
            let found = places ?? Places(services)
            if places == nil { places = found }
            return find(found)
        }
    }

    /// The place of the first service with a folder.
    ///
    /// - Parameter services: The services of the workspace that has this index.
    func service(_ folder: String, in services: [Service]) -> Int? { found(in: services) { $0.services[folder] } }

    /// The place of the first endpoint with a target: its service, and its place there.
    ///
    /// - Parameter services: The services of the workspace that has this index.
    func endpoint(_ target: String, in services: [Service]) -> Place? { found(in: services) { $0.endpoints[target] } }

    /// The places of the endpoints that capture the value of a name; several for an ambiguous one.
    func captures(_ name: String, in services: [Service]) -> [Place] { found(in: services) { $0.captures[name] ?? [] } }

    /// The names of all captured values.
    func capturedNames(in services: [Service]) -> Set<String> { found(in: services) { Set($0.captures.keys) } }

    static func == (one: WorkspaceIndex, other: WorkspaceIndex) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}
