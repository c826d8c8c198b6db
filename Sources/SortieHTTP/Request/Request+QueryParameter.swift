internal import SortieBase

extension Request {
    /// The first query parameter of a name, decoded; its value is empty without `=`.
    ///
    /// Assigning replaces the first parameter of the name and removes further ones, or adds one at the end; nil removes all. Other parameters keep
    /// their notation.
    public subscript(parameter name: String) -> String? {
        get { ParameterPair.pairs(of: url.query ?? "").first { $0.name == name }.map { $0.value ?? "" } }
        set {
            var items: [Substring] = []
            var pair = newValue.map { value in
                Substring([name, value].map { PercentEncoding.encode($0, allowed: .unreserved) }.joined(separator: "="))
            }
            for item in (url.query ?? "").split(separator: "&") {
                if ParameterPair.pairs(of: String(item)).first?.name != name {
                    items.append(item)
                } else if let first = pair.take() {
                    items.append(first)
                }
            }
            if let pair { items.append(pair) }
            url.query = items.isEmpty ? nil : items.joined(separator: "&")
        }
    }
}
