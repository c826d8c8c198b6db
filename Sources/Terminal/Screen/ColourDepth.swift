/// The number of colours that are used.
package enum ColourDepth: Int, Hashable, Sendable, Comparable {
    case none = 0
    case basic = 8
    case extended = 16
    case rich = 256

    package static func < (one: ColourDepth, other: ColourDepth) -> Bool { one.rawValue < other.rawValue }

    /// The largest depth of a terminal with this number of colours.
    init(colours: Int) {
        self = [.rich, .extended, .basic].first { $0.rawValue <= colours } ?? .none
    }
}
