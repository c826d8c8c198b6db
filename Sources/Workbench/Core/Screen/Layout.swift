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

    /// What the automatic sizes depend on.
    struct Demand: Hashable, Sendable {
        /// The rows of the request pane below its tabs: those of the shown tab, and the description.
        var requestRows = 0
        /// Whether the shown tab of the bottom pane has nothing to show.
        var isBottomEmpty = false
        /// Whether the response pane has nothing to show, so that the request pane takes its room.
        var isResponseEmpty = false
    }

    /// - Parameter messageRows: The number of rows between the panes and the footer for a message.
    init(size: Size, focus: Pane, isZoomed: Bool, splits: Splits, demand: Demand = Demand(), messageRows: Int = 0) {
        guard size.width >= Layout.minimum.width, size.height >= Layout.minimum.height else {
            isTooSmall = true
            return
        }
        let whole = Rect(origin: .zero, size: size)
        let (upper, footer) = whole.split(bottomHeight: 1)
        self.footer = footer
        let main = upper.split(bottomHeight: messageRows).top
        if isZoomed {
            self[focus] = main
            return
        }
        let bottomHeight = Layout.bottomHeight(main.height, focus: focus, chosen: splits.bottomHeight, isEmpty: demand.isBottomEmpty)
        let (top, bottom) = main.split(bottomHeight: bottomHeight)
        self.bottom = bottom
        let servicesWidth = Layout.servicesWidth(size.width, chosen: splits.servicesWidth)
        let (services, right) = top.split(leftWidth: servicesWidth)
        self.services = services
        divide(right, focus: focus, chosen: splits.requestShare, demand)
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

    /// The width of request and response, or their height where one is above the other.
    var requestAndResponse: Int {
        // The response begins on the last row of the request.
        isSideBySide ? request.width + response.width : request.height + response.height - 1
    }

    /// The pane at a point.
    func pane(at point: Point) -> Pane? {
        // The response pane comes first, because the border it shares with the request pane has its title.
        [Pane.response, .request, .services, .bottom].first { self[$0].contains(point) }
    }

    private mutating func divide(_ right: Rect, focus: Pane, chosen: Int?, _ demand: Demand) {
        isSideBySide = right.width >= 120
        if isSideBySide {
            // The rest is enough for the tabs of the request on one row; a response has the longer lines.
            let width = chosen.map { right.width * $0 / 1000 } ?? max(Layout.tabsWidth, right.width * 37 / 100)
            (request, response) = right.split(leftWidth: width.clamped(to: 30...right.width - 30))
            return
        }
        // The panes share a border, so the response pane begins on the last row of the request pane.
        let least = right.height < 12 ? 3 : 5
        let wanted: Int
        if let chosen {
            wanted = right.height * chosen / 1000
        } else {
            // The border, the request line and the tabs; the border below is the one of the response.
            wanted = min(demand.requestRows + 4, demand.isResponseEmpty ? right.height : most(of: right.height, focus: focus))
        }
        let rest = demand.isResponseEmpty && focus != .response ? 3 : least
        let height = wanted.clamped(to: least...max(least, right.height - rest + 1))
        request = right.split(topHeight: height).top
        response = right.split(topHeight: max(0, height - 1)).bottom
    }

    /// The largest automatic height of the request above the response.
    private func most(of height: Int, focus: Pane) -> Int {
        if height >= 34 { return height * 2 / 5 }
        return switch focus {
        // At least one row below the tabs, and the lower border.
        case .request: max(height * 3 / 5, min(6, height - 2))
        case .response: min(7, height / 3)
        case .services, .bottom: height * 2 / 5
        }
    }

    /// The width in which all tabs of the request fit.
    private static let tabsWidth = 50

    private static func servicesWidth(_ width: Int, chosen: Int?) -> Int {
        if let chosen { return chosen.clamped(to: 14...max(14, width - 30)) }
        // Beyond that, long names of endpoints get a part of the room.
        return width >= 120 ? max(34, width * 11 / 50) : (width * 3 / 10).clamped(to: 14...34)
    }

    private static func bottomHeight(_ height: Int, focus: Pane, chosen: Int?, isEmpty: Bool) -> Int {
        // On the smallest screen the focused pane needs at least three rows of contents, and the panes above keep their titles.
        let isSmall = focus == .bottom && height < 12
        let limits = 1...max(1, height - (isSmall ? 4 : 6))
        if focus == .bottom { return (chosen.map { max(5, $0) } ?? max(height * 2 / 5, isSmall ? 5 : 0)).clamped(to: limits) }
        if let chosen { return chosen.clamped(to: limits) }
        if isEmpty || height < 15 { return 1 }
        return height < 34 ? 3 : min(12, height / 5)
    }
}
