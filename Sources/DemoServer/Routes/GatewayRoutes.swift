import Foundation
import SortieBase

/// A gateway that accepts only signed requests.
enum GatewayRoutes {
    static func all(_ demo: Demo) -> [Route] {
        [
            Route(
                ["GET", "POST", "PUT"], "/gateway",
                "Requires a signature of every request in ?sign=; a refusal contains the text that the server signed."
            ) {
                try await answer($0, demo)
            },
            Route(
                ["GET", "POST", "PUT"], "/gateway/tampered",
                "The same behind an intermediary that changes the parameter version: refuses requests that were signed before."
            ) {
                try await answer($0, demo, query: tampered($0.rawQuery))
            },
        ]
    }

    private static func tampered(_ query: String) -> String {
        query.split(separator: "&").map { $0.hasPrefix("version=") ? "version=9.9" : String($0) }.joined(separator: "&")
    }

    private static func answer(_ call: Call, _ demo: Demo, query rawQuery: String? = nil) async throws -> Reply {
        let data = try await call.body.collect()
        let text = String(decoding: data, as: UTF8.self)
        let body: GatewaySignature.Body =
            switch call.mediaType {
            case _ where data.isEmpty || call.method == "GET": .none
            case "application/x-www-form-urlencoded": .form(QueryItems(text, plusIsSpace: true))
            case "application/json": .json(text)
            default: .none
            }
        // Decoded by the URL rule: an encoder that writes a space as %20 may leave a plus literal.
        let query = QueryItems(rawQuery ?? call.rawQuery, plusIsSpace: false)
        let signature = GatewaySignature(
            method: call.method, path: call.rawPath, query: query, body: body, authorization: call.header("Authorization") ?? "")
        let shown = signature.base(secret: "••••")
        guard let given = query["sign"], !given.isEmpty else {
            throw Problem(401, "The request has no sign. The server would sign md5 of: \(shown)", code: 40101)
        }
        guard given == signature.sign(secret: demo.options.gatewaySecret) else {
            throw Problem(401, "The sign \(given) does not match. The server computed md5 of: \(shown)", code: 40102)
        }
        return .envelope([
            "verified": true, "base": .string(shown), "method": .optional(query["method"]),
            "items": .integer(signature.items.count),
        ])
    }
}

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
        (self.method, self.path, self.authorization) = (method, path, authorization)
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
