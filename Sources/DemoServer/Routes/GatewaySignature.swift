import SortieBase

/// The signature of `/gateway`: MD5 over method, path, decoded parameters, a shared secret and the
/// credentials.
struct GatewaySignature: Sendable {
    /// The contribution of the request body to the signed text.
    enum Body: Sendable {
        /// Nothing; used for every body that is neither a form nor JSON.
        case none
        /// The pairs of a form, like those of the query.
        case form(QueryItems)
        /// The raw JSON text as one item named `jsonBody`.
        case json(String)
    }

    let method: String
    /// The path as sent, including percent escapes.
    let path: String
    /// The signed parameters as decoded `name=value`, in signing order.
    let items: [String]
    let authorization: String

    /// Collects the signed values.
    ///
    /// GET keeps the order of the URL; POST and PUT sort all items by their bytes. `sign` itself is omitted, and an
    /// item without `=` contributes its name.
    init(method: String, path: String, query: QueryItems, body: Body, authorization: String) {
        self.method = method
        self.path = path
        self.authorization = authorization
        var items = Self.texts(of: query)
        switch body {
        case .none: break
        case .form(let form): items += Self.texts(of: form)
        case .json(let raw): items.append("jsonBody=" + raw)
        }
        // Sorted by bytes, because Swift's String order compares by Unicode equivalence.
        let isSorted = method == "POST" || method == "PUT"
        self.items = isSorted ? items.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } : items
    }

    private static func texts(of query: QueryItems) -> [String] {
        query.items.filter { $0.name != "sign" }.map { item in
            item.value.map { "\(item.name)=\($0)" } ?? item.name
        }
    }

    /// The text that is hashed.
    func base(secret: String) -> String {
        method + path + "?" + items.joined(separator: "&") + secret + authorization
    }

    /// The value of `sign`: 32 lower-case hexadecimal digits.
    func sign(secret: String) -> String {
        HexDigits.text(HashFunction.md5.digest(of: base(secret: secret)))
    }
}
