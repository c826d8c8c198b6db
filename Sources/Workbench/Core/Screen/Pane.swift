/// The four panes that can have the focus, in the order of their digit keys.
enum Pane: Int, Hashable, Sendable, CaseIterable {
    case services, request, response, bottom

    var next: Pane { Pane(rawValue: (rawValue + 1) % Pane.allCases.count) ?? .services }
    var previous: Pane { Pane(rawValue: (rawValue + Pane.allCases.count - 1) % Pane.allCases.count) ?? .services }
}

/// A tab of a pane, with its title on the screen.
protocol PaneTab: CaseIterable, Hashable, Sendable where AllCases == [Self] {
    var title: String { get }
}

extension PaneTab {
    /// The tab at a distance, wrapping around.
    func moved(by distance: Int) -> Self {
        let all = Self.allCases
        guard let index = all.firstIndex(of: self) else { return self }
        return all[(index + distance + all.count) % all.count]
    }
}

/// The tabs of the request pane.
enum RequestTab: String, PaneTab {
    case params = "Params"
    case headers = "Headers"
    case body = "Body"
    case auth = "Auth"
    case options = "Options"

    var title: String { rawValue }
}

/// The tabs of the response pane.
enum ResponseTab: String, PaneTab {
    case body = "Body"
    case headers = "Headers"
    case cookies = "Cookies"
    case timing = "Timing"
    case trace = "Trace"

    var title: String { rawValue }
}

/// The tabs of the bottom pane.
enum BottomTab: String, PaneTab {
    case transfers = "Transfers"
    case runs = "Runs"
    case log = "Log"
    case history = "History"
    case monitor = "Monitor"

    var title: String { rawValue }
}
