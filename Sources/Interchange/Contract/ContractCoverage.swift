package import SortieBase

/// The parts of a description that exchanges used: operations, parameters, media types and responses.
package struct ContractCoverage: Sendable {
    /// A part of an operation.
    package struct Part: Hashable, Sendable {
        /// `query limit`, `request type application/json`, `response 200 application/json`.
        package var name: String
        /// Whether an exchange had it.
        package var isSeen: Bool
    }

    /// An operation with its parts.
    package struct Operation: Sendable {
        /// Method and path.
        package var name: String
        /// The number of exchanges.
        package var exchanges: Int
        /// The parts, in the order of the description.
        package var parts: [Part]
    }

    /// The title of the API.
    package let title: String
    /// The operations in the order of the description.
    package let operations: [Operation]

    /// Counts the parts that exchanges used.
    package init(of contract: OpenAPIContract, _ observations: [ContractCheck.Observation]) {
        title = contract.title
        let byOperation = Dictionary(grouping: observations, by: \.operation)
        operations = contract.operations.map { operation in
            let own = byOperation[operation.index] ?? []
            let parameters = own.reduce(into: Set<String>()) { $0.formUnion($1.parameters) }
            let requestTypes = Set(own.compactMap(\.requestType))
            let responses = Set(
                own.compactMap { item in item.response.map { Self.response($0, item.responseType) } }
                    + own.compactMap(\.response).map { Self.response($0, nil) })
            let details = contract.details(of: operation)
            var parts = details.parameters.map { Part(name: $0.subject, isSeen: parameters.contains($0.subject)) }
            parts += details.body.map { Part(name: "request type \($0.type)", isSeen: requestTypes.contains($0.type)) }
            for response in details.responses {
                let names = response.media.isEmpty ? [Self.response(response.key, nil)] : response.media.map { Self.response(response.key, $0.type) }
                parts += names.map { Part(name: $0, isSeen: responses.contains($0)) }
            }
            return Operation(name: operation.name, exchanges: own.count, parts: parts)
        }
    }

    private static func response(_ key: String, _ type: String?) -> String { "response \(key)" + (type.map { " \($0)" } ?? "") }

    /// The number of operations and parts that were seen, and of all.
    package var count: (seen: Int, all: Int) {
        operations.reduce((0, 0)) { count, operation in
            let seen = operation.parts.count(where: \.isSeen) + (operation.exchanges > 0 ? 1 : 0)
            return (count.0 + seen, count.1 + operation.parts.count + 1)
        }
    }

    /// The share that was seen, from 0 to 100, rounded down.
    package var percent: Int { count.all == 0 ? 0 : count.seen * 100 / count.all }

    private var summary: String {
        let used = operations.count { $0.exchanges > 0 }
        return "\(used) of \(operations.count) operations, \(count.seen) of \(count.all) parts: \(percent) %"
    }

    /// The coverage as lines.
    package var text: String {
        let width = min(60, operations.map(\.name.count).max() ?? 0)
        let lines = operations.flatMap { operation -> [String] in
            let mark = operation.exchanges == 0 ? "–" : operation.parts.allSatisfy(\.isSeen) ? "✓" : "·"
            let name = operation.name + String(repeating: " ", count: max(0, width - operation.name.count))
            let missing = operation.exchanges == 0 ? [] : operation.parts.filter { !$0.isSeen }.map(\.name)
            let head = "\(mark) \(name)  \(operation.exchanges)"
            return missing.isEmpty ? [head] : [head, "    not seen: \(missing.joined(separator: ", "))"]
        }
        return (lines + ["\(title): \(summary)"]).map { $0 + "\n" }.joined()
    }

    /// The coverage as JSON.
    package var json: JSONValue {
        let list = operations.map { operation -> JSONValue in
            [
                "operation": .string(operation.name), "exchanges": .integer(operation.exchanges),
                "parts": .array(operation.parts.map { ["name": .string($0.name), "seen": .bool($0.isSeen)] }),
            ]
        }
        return [
            "title": .string(title), "percent": .integer(percent), "seen": .integer(count.seen), "all": .integer(count.all),
            "operations": .array(list),
        ]
    }
}

/// The page of `--html`.
extension [ContractCoverage] {
    /// The coverages as one page, without scripts and without parts from elsewhere.
    package var html: String {
        let escaped = OpenAPIXML.escaped
        let title = count == 1 ? self[0].title : "Coverage"
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>\(escaped(title))</title>
            <style>body{font-family:sans-serif}td{padding:.2em .8em;vertical-align:top}.seen{color:#060}.missing{color:#900}</style></head>
            <body>\(map(\.section).joined())</body></html>

            """
    }
}

extension ContractCoverage {
    fileprivate var section: String {
        let escaped = OpenAPIXML.escaped
        let rows = operations.map { operation in
            let parts = operation.parts.map { "<span class=\"\($0.isSeen ? "seen" : "missing")\">\(escaped($0.name))</span>" }.joined(separator: " ")
            return "<tr class=\"\(operation.exchanges > 0 ? "seen" : "missing")\"><td>\(escaped(operation.name))</td><td>\(operation.exchanges)</td>"
                + "<td>\(parts)</td></tr>\n"
        }.joined()
        return """
            <h1>\(escaped(title))</h1><p>\(escaped(summary))</p>
            <table><tr><th>operation</th><th>exchanges</th><th>parameters, media types, responses</th></tr>
            \(rows)</table>

            """
    }
}
