/// The four corner characters of a box: tees and crosses where it shares an edge.
struct BoxCorners {
    let topLeft: String
    let topRight: String
    let bottomLeft: String
    let bottomRight: String

    init(_ joints: BoxJoints) {
        topLeft = Self.corner("┌", "├", "┬", vertical: joints.contains(.above), horizontal: joints.contains(.left))
        topRight = Self.corner("┐", "┤", "┬", vertical: joints.contains(.above), horizontal: joints.contains(.right))
        bottomLeft = Self.corner("└", "├", "┴", vertical: joints.contains(.below), horizontal: joints.contains(.left))
        bottomRight = Self.corner("┘", "┤", "┴", vertical: joints.contains(.below), horizontal: joints.contains(.right))
    }

    private static func corner(
        _ alone: String, _ stacked: String, _ beside: String, vertical: Bool, horizontal: Bool
    ) -> String {
        switch (vertical, horizontal) {
        case (false, false): alone
        case (true, false): stacked
        case (false, true): beside
        case (true, true): "┼"
        }
    }
}
