internal import Foundation
package import WorkspaceModel

/// Stores the requests of a workspace that wait for the network, so that neither the end of the program nor a crash loses one or sends one twice.
package typealias ParkedStore = ProgramState<StoredParkedRequest>

/// A request that waits for the network, as it is stored.
///
/// A request of which a part cannot be read is reported, and it is not sent unless the user decides so.
package struct StoredParkedRequest: ProgramRecord {
    package static let format = StateFormat(key: "requests", content: "the requests that wait for the network", version: 2)
    package static let folder = "parked"

    /// Adds requests that are not known, oldest first.
    package static func add(_ more: [ParkedRequest], to found: inout [ParkedRequest]) {
        for request in more where !found.contains(where: { $0.id == request.id }) { found.append(request) }
        found.sort { $0.since < $1.since }
    }

    var id: String
    var endpoint: StoredEndpoint
    var environment: String?
    var since: Date
    var expires: Date
    var reason: String
    var isOut: Bool

    package init(_ request: ParkedRequest) {
        (id, environment, since, expires) = (request.id, request.environment, request.since, request.expires)
        (endpoint, reason, isOut) = (StoredEndpoint(request.endpoint), request.reason, request.isOut)
    }

    package func value(_ problems: inout [String]) -> ParkedRequest? {
        let before = problems.count
        guard let endpoint = endpoint.endpoint(&problems) else { return nil }
        // What was read is not the whole request, so it is not sent unless the user decides so.
        let isWhole = problems.count == before
        return ParkedRequest(
            id: id, endpoint: endpoint, environment: environment, since: Self.plausible(since), expires: Self.plausible(expires),
            reason: isWhole ? reason : "a part of it cannot be read", isOut: isOut || !isWhole)
    }

    /// A time in the years 1970 to 9999, so that a wait can be computed.
    private static func plausible(_ date: Date) -> Date {
        Date(timeIntervalSince1970: min(max(date.timeIntervalSince1970, 0), 253_402_300_799))
    }
}
