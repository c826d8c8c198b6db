internal import FoundationEssentials
internal import Model

/// What the Monitor remembers.
struct MonitorView: Hashable, Sendable {
    /// The numbers as they were told last.
    var report = MonitorReport()
    /// The selected row.
    var selected = 0

    /// Whether nothing was counted and nothing happened.
    var isEmpty: Bool { report.services.isEmpty && report.timeline.isEmpty }

    /// The rows, from top to bottom.
    var rows: [MonitorRow] { MonitorRow.rows(of: report) }
}

/// One row of the Monitor.
enum MonitorRow: Hashable, Sendable {
    /// How deep a place is.
    enum Level: Int, Hashable, Sendable {
        case service, server, address
    }

    /// A service, server or address with its numbers; per second what it did in the last minute, where that is known.
    case place(Level, name: String, TrafficReport, recent: [Int])
    /// The standing of an address among others: whether it is in use, and why.
    case standing(String, isInUse: Bool)
    /// What follows is something else.
    case heading(String)
    /// Something that changed.
    case event(MonitorEvent)

    static func rows(of report: MonitorReport) -> [MonitorRow] {
        var rows: [MonitorRow] = []
        for service in report.services {
            rows.append(.place(.service, name: service.name ?? "no service", service.traffic, recent: service.recent))
            for server in service.servers {
                rows.append(.place(.server, name: server.origin, server.traffic, recent: []))
                // An only address says nothing that its server does not.
                guard server.addresses.count > 1 || server.addresses.contains(where: { $0.standing != nil }) else { continue }
                for address in server.addresses {
                    rows.append(.place(.address, name: address.address ?? "none reached", address.traffic, recent: []))
                    if let standing = Self.standing(of: address) { rows.append(standing) }
                }
            }
        }
        guard !report.timeline.isEmpty else { return rows }
        rows.append(.heading("What changed, the newest first"))
        return rows + report.timeline.reversed().map { .event($0) }
    }

    private static func standing(of address: AddressReport) -> MonitorRow? {
        guard let standing = address.standing else { return nil }
        let use = address.isInUse.map { $0 ? "in use" : "not in use" }
        return .standing([use, standing.text, address.reason].compactMap { $0 }.joined(separator: " · "), isInUse: address.isInUse == true)
    }

    /// The row as it is copied.
    var text: String {
        switch self {
        case .place(_, let name, let traffic, _):
            ([name] + MonitorColumn.allCases.map { "\($0.title) \($0.text(of: traffic))" }).joined(separator: "  ")
        case .standing(let text, _), .heading(let text): text
        case .event(let event): "\(MonitorRow.time(of: event)) \(event.kind.rawValue): \(event.text)"
        }
    }

    /// The time of day in UTC: the same for two people who look at two machines.
    static func time(of event: MonitorEvent) -> String {
        String(CalendarTime(secondsSince1970: event.time.timeIntervalSince1970).iso8601.dropFirst(11))
    }
}

/// A column of numbers of the Monitor.
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

    /// How wide it is.
    var width: Int {
        switch self {
        case .requests, .success: 8
        case .errors, .opened, .reused: 6
        case .p50, .p95, .p99: 7
        case .sent, .received: 7
        }
    }

    /// Those that fit, the dispensable ones left out: connections first, then bytes, then what p95 says nearly as well.
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
