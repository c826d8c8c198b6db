internal import Synchronization
internal import WorkspaceModel

/// The recorded values of template built-ins from the original request, returned in order.
final class RecordedBuiltins: Sendable {
    private let left: Mutex<[String: [String]]>

    init(_ values: [String: [String]]) {
        left = Mutex(values)
    }

    /// The next value; nil when all are used.
    func next(_ name: String, _ argument: String) -> String? {
        left.withLock { left in
            let key = TemplateMemo.key(name, argument)
            guard let values = left[key], let first = values.first else { return nil }
            left[key] = Array(values.dropFirst())
            return first
        }
    }
}
