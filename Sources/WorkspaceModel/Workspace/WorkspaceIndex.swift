internal import Synchronization

/// The places of the services of a workspace and of their endpoints, by folder and by target; made for the first search.
///
/// Each value of ``Workspace/services`` has its index, which copies of the workspace share. Indices are equal, because they have what the services have.
final class WorkspaceIndex: Hashable, Sendable {
    private struct Places {
        var services: [String: Int] = [:]
        var endpoints: [String: (service: Int, endpoint: Int)] = [:]

        init(_ services: [Service]) {
            // Indices, because services and endpoints are large values, of which a loop would copy each.
            for service in services.indices {
                if self.services[services[service].folder] == nil { self.services[services[service].folder] = service }
                for endpoint in services[service].endpoints.indices {
                    let target = services[service].endpoints[endpoint].target
                    if endpoints[target] == nil { endpoints[target] = (service, endpoint) }
                }
            }
        }
    }

    private let places = Mutex<Places?>(nil)

    private func found<Place>(in services: [Service], _ find: (Places) -> Place) -> Place {
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
    func endpoint(_ target: String, in services: [Service]) -> (service: Int, endpoint: Int)? { found(in: services) { $0.endpoints[target] } }

    static func == (one: WorkspaceIndex, other: WorkspaceIndex) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}
