internal import Synchronization

/// The places of the endpoints in the services of a workspace, by target; made for the first search.
///
/// Each value of ``Workspace/services`` has its index, which copies of the workspace share. Indices are equal, because they have what the services have.
final class EndpointIndex: Hashable, Sendable {
    /// The indices of a service and of an endpoint in it.
    struct Place {
        let service: Int
        let endpoint: Int
    }

    private let places = Mutex<[String: Place]?>(nil)

    /// The place of the first endpoint with a target.
    ///
    /// - Parameter services: The services of the workspace that has this index.
    func place(of target: String, in services: [Service]) -> Place? {
        places.withLock { places in
            if let places { return places[target] }
            var found: [String: Place] = [:]
            // Indices, because services and endpoints are large values, of which a loop would copy each.
            for service in services.indices {
                for endpoint in services[service].endpoints.indices {
                    let target = services[service].endpoints[endpoint].target
                    if found[target] == nil { found[target] = Place(service: service, endpoint: endpoint) }
                }
            }
            places = found
            return found[target]
        }
    }

    static func == (one: EndpointIndex, other: EndpointIndex) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}
