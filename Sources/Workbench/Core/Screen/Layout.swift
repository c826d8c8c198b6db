internal import SortieTerminal

/// The positions of the panes, for drawing and for the mouse.
struct Layout: Hashable, Sendable {
    var services = Rect.zero
    var request = Rect.zero
    var response = Rect.zero
    var bottom = Rect.zero
    var footer = Rect.zero
    /// Whether request and response are side by side.
    var isSideBySide = false
    /// Whether the terminal is too small, so that only a message is shown.
    var isTooSmall = false

    /// The minimum size at which the panes are drawn.
    static let minimum = Size(width: 40, height: 10)

    /// Sizes that the user chose by dragging; nil for the automatic size.
    struct Splits: Hashable, Sendable {
        var servicesWidth: Int?
        var bottomHeight: Int?
        /// The share of the request pane of both panes, in thousandths.
        var requestShare: Int?
    }

    init(size: Size, focus: Pane, isZoomed: Bool, splits: Splits) {
        guard size.width >= Layout.minimum.width, size.height >= Layout.minimum.height else {
            isTooSmall = true
            return
        }
        let whole = Rect(origin: .zero, size: size)
        let (main, footer) = whole.split(bottomHeight: 1)
        self.footer = footer
        if isZoomed {
            self[focus] = main
            return
        }
        let bottomHeight = Layout.bottomHeight(main.height, focus: focus, chosen: splits.bottomHeight)
        let (upper, bottom) = main.split(bottomHeight: bottomHeight)
        self.bottom = bottom
        let servicesWidth = Layout.servicesWidth(size.width, focus: focus, chosen: splits.servicesWidth)
        let (services, right) = upper.split(leftWidth: servicesWidth)
        self.services = services
        divide(right, focus: focus, chosen: splits.requestShare)
    }

    subscript(pane: Pane) -> Rect {
        get {
            switch pane {
            case .services: services
            case .request: request
            case .response: response
            case .bottom: bottom
            }
        }
        set {
            switch pane {
            case .services: services = newValue
            case .request: request = newValue
            case .response: response = newValue
            case .bottom: bottom = newValue
            }
        }
    }

    /// The pane at a point.
    func pane(at point: Point) -> Pane? {
        // The response pane comes first, because the border it shares with the request pane has its title.
        [Pane.response, .request, .services, .bottom].first { self[$0].contains(point) }
    }

    private mutating func divide(_ right: Rect, focus: Pane, chosen: Int?) {
        isSideBySide = right.width >= 120
        if isSideBySide {
            let share = chosen ?? 450
            (request, response) = right.split(leftWidth: (right.width * share / 1000).clamped(to: 30...right.width - 30))
            return
        }
        // The panes share a border, so the response pane begins on the last row of the request pane.
        let least = right.height < 12 ? 3 : 5
        let wanted: Int
        if let chosen {
            wanted = right.height * chosen / 1000
        } else if right.height >= 34 {
            wanted = right.height * 2 / 5
        } else {
            switch focus {
            case .request: wanted = right.height * 3 / 5
            case .response: wanted = min(7, right.height / 3)
            case .services, .bottom: wanted = right.height * 2 / 5
            }
        }
        let height = wanted.clamped(to: least...max(least, right.height - least + 1))
        request = right.split(topHeight: height).top
        response = right.split(topHeight: max(0, height - 1)).bottom
    }

    private static func servicesWidth(_ width: Int, focus: Pane, chosen: Int?) -> Int {
        let limits = 14...max(14, width - 30)
        if let chosen { return chosen.clamped(to: limits) }
        if width >= 120 { return 34 }
        return (focus == .services ? width * 3 / 8 : width * 11 / 40).clamped(to: 14...34)
    }

    private static func bottomHeight(_ height: Int, focus: Pane, chosen: Int?) -> Int {
        let limits = 1...max(1, height - 6)
        if focus == .bottom { return (chosen.map { max(5, $0) } ?? height * 2 / 5).clamped(to: limits) }
        if let chosen { return chosen.clamped(to: limits) }
        if height < 15 { return 1 }
        return height < 34 ? 3 : min(12, height / 5)
    }
}
