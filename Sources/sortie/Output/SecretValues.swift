internal import Model
internal import Synchronization

/// The values of the workspace's secrets that a request used, masked wherever they turn up in what is printed.
final class SecretValues: Sendable {
    private let values = Mutex<Set<String>>([])

    /// Takes note of a value that templates put somewhere.
    func note(_ value: String) {
        guard !value.isEmpty else { return }
        values.withLock { _ = $0.insert(value) }
    }

    /// `text` with every secret masked, also where it was encoded for a URL, a form or JSON.
    func masked(_ text: String) -> String {
        var text = text
        // The longest first: one secret may be a part of another.
        for spelling in spellings.sorted(by: { ($0.utf8.count, $0) > ($1.utf8.count, $1) }) {
            text = text.replacing(spelling, with: HeaderField.mask)
        }
        return text
    }

    /// `value` with every secret in its strings masked.
    func masked(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(masked(text))
        case .array(let items): .array(items.map(masked))
        case .object(let members): .object(members.map { JSONValue.Member($0.key, masked($0.value)) })
        case .null, .bool, .number: value
        }
    }

    private var spellings: Set<String> {
        values.withLock { $0 }.reduce(into: []) { spellings, value in
            let encodings: [PercentEncoding.Allowed] = [.unreserved, .path, .query, .form]
            spellings.formUnion(encodings.map { PercentEncoding.encode(value, allowed: $0) })
            spellings.formUnion([value, String(JSONValue.string(value).text.dropFirst().dropLast())])
        }
    }
}
