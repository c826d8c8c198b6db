internal import Synchronization

/// Gives the values again that built-ins of templates gave when a request was made, each in its turn.
final class RecordedBuiltins: Sendable {
    private let left: Mutex<[String: [String]]>

    init(_ values: [String: [String]]) {
        left = Mutex(values)
    }

    /// The next value; nil where there is none left.
    func next(_ name: String, _ argument: String) -> String? {
        left.withLock { left in
            let key = TemplateMemo.key(name, argument)
            guard let values = left[key], let first = values.first else { return nil }
            left[key] = Array(values.dropFirst())
            return first
        }
    }
}
