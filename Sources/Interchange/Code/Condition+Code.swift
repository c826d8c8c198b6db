internal import WorkspaceModel

extension Condition {
    /// The name of the test in exported code, and what a value is compared with.
    var named: (test: String, operand: String?) {
        switch test {
        case .equals(let text): ("=", text)
        case .differs(let text): ("!=", text)
        case .compares(let order, let bound): (order.rawValue, bound)
        case .matches(let pattern): ("matches", pattern)
        case .exists: ("exists", nil)
        case .missing: ("missing", nil)
        case .type(let type): ("type", type.rawValue)
        }
    }
}
