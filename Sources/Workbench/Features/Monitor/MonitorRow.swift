internal import FoundationEssentials
internal import SortieHTTP

/// A row of the monitor tab.
enum MonitorRow: Hashable, Sendable {
    /// The level of a row in the hierarchy.
    enum Level: Int, Hashable, Sendable {
        case service, server, address
    }

    /// The statistics of a service, server or address, with the requests per second of the last minute where available.
    case place(Level, name: String, TrafficReport, recent: [Int])
    /// The score of an address, and whether and why it is in use.
    case standing(String, isInUse: Bool)
    /// The heading of the rows that follow.
    case heading(String)
    /// An event of the timeline.
    case event(MonitorEvent)

    static func rows(of report: MonitorReport) -> [MonitorRow] {
        var rows: [MonitorRow] = []
        for service in report.services {
            rows.append(.place(.service, name: service.name ?? "no service", service.traffic, recent: service.recent))
            for server in service.servers {
                rows.append(.place(.server, name: server.origin, server.traffic, recent: []))
                // A single address without a score adds nothing to its server.
                guard server.addresses.count > 1 || server.addresses.contains(where: { $0.standing != nil }) else { continue }
                for address in server.addresses {
                    rows.append(.place(.address, name: address.address ?? "none reached", address.traffic, recent: []))
                    if let standing = Self.standing(of: address) { rows.append(standing) }
                }
            }
        }
        guard !report.timeline.isEmpty else { return rows }
        rows.append(.heading("Changes, newest first"))
        return rows + report.timeline.reversed().map { .event($0) }
    }

    private static func standing(of address: AddressReport) -> MonitorRow? {
        guard let standing = address.standing else { return nil }
        let use = address.isInUse.map { $0 ? "in use" : "not in use" }
        return .standing([use, standing.text, address.reason].compactMap { $0 }.joined(separator: " · "), isInUse: address.isInUse == true)
    }

    /// The row as text for the clipboard.
    var text: String {
        switch self {
        case .place(_, let name, let traffic, _):
            ([name] + MonitorColumn.allCases.map { "\($0.title) \($0.text(of: traffic))" }).joined(separator: "  ")
        case .standing(let text, _), .heading(let text): text
        case .event(let event): "\(MonitorRow.time(of: event)) \(event.kind.rawValue): \(event.text)"
        }
    }

    /// The time of day in UTC, so that it is comparable between machines.
    static func time(of event: MonitorEvent) -> String {
        String(CalendarTime(secondsSince1970: event.time.timeIntervalSince1970).iso8601.dropFirst(11))
    }
}

/// A column of the monitor tab.
enum MonitorColumn: Int, CaseIterable, Sendable {
    case requests, errors, success, p50, p95, p99, sent, received, opened, reused

    var title: String {
        switch self {
        case .requests: "requests"
        case .errors: "errors"
        case .success: "success"
        case .p50: "p50"
        case .p95: "p95"
        case .p99: "p99"
        case .sent: "↑"
        case .received: "↓"
        case .opened: "opened"
        case .reused: "reused"
        }
    }

    /// The width in cells.
    var width: Int {
        switch self {
        case .requests, .success: 8
        case .errors, .opened, .reused: 6
        case .p50, .p95, .p99: 7
        case .sent, .received: 7
        }
    }

    /// The columns that fit, without the least important ones: connections go first, then bytes, then the other percentiles and the
    /// success rate; p95 stays.
    static func fitting(_ width: Int) -> [MonitorColumn] {
        var columns = Self.allCases
        for column in [MonitorColumn.reused, .opened, .sent, .received, .p99, .success, .p50] where columns.reduce(0, { $0 + $1.width + 2 }) > width {
            columns.removeAll { $0 == column }
        }
        return columns
    }

    func text(of traffic: TrafficReport) -> String {
        switch self {
        case .requests: String(traffic.requests)
        case .errors: String(traffic.errors)
        case .success: traffic.successRate.map { NumberText.tenths($0 * 100) + " %" } ?? "–"
        case .p50: time(traffic.p50)
        case .p95: time(traffic.p95)
        case .p99: time(traffic.p99)
        case .sent: ByteText.amount(traffic.bytesSent)
        case .received: ByteText.amount(traffic.bytesReceived)
        case .opened: String(traffic.connectionsOpened)
        case .reused: String(traffic.connectionsReused)
        }
    }

    private func time(_ seconds: Double) -> String { seconds > 0 ? NumberText.seconds(seconds) : "–" }
}
