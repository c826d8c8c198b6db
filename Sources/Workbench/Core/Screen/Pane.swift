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

/// A tab of the bottom pane, with its title on the screen; features declare their tabs.
struct BottomTab: Hashable, Sendable {
    let title: String

    init(_ title: String) {
        self.title = title
    }
}
