internal import Foundation
internal import WorkspaceModel

/// A request that waits for the network, as it is stored.
struct StoredParkedRequest: StateRecord {
    static let format = StateFormat(key: "requests", content: "the requests that wait for the network", version: 2)

    var id: String
    var endpoint: StoredEndpoint
    var environment: String?
    var since: Date
    var expires: Date
    var reason: String
    var isOut: Bool

    init(_ request: ParkedRequest) {
        id = request.id
        endpoint = StoredEndpoint(request.endpoint)
        environment = request.environment
        since = request.since
        expires = request.expires
        reason = request.reason
        isOut = request.isOut
    }

    func value(_ problems: inout [String]) -> ParkedRequest? {
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
