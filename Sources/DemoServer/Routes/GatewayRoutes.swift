import Foundation

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
