internal import SortieBase
internal import SortieHTTP

/// A response of a token endpoint without a token (RFC 6749 §5.2).
struct OAuth2Refusal: Sendable {
    let status: Int
    /// The `error` code; nil for a response without one.
    let code: String?
    /// The description for people; nil where there is none.
    let explanation: String?

    /// A refusal in the query of a redirect (RFC 6749 §4.1.2.1).
    init(code: String, explanation: String?) {
        status = 302
        self.code = Self.printable(code)
        self.explanation = explanation.map(Self.printable)
    }

    init(_ response: Response, hiding secrets: [String]) {
        status = response.status
        var body = JSONValue.null
        // A proxy or a wrong URL responds with HTML, which has no code.
        do { body = try JSONValue(parsing: response.utf8Body) } catch {}
        func text(_ name: String) -> String? {
            guard case .string(let text)? = body[name], !text.isEmpty else { return nil }
            return Self.printable(secrets.filter { !$0.isEmpty }.reduce(text) { $0.replacing($1, with: HeaderField.mask) })
        }
        code = text("error")
        explanation = text("error_description")
    }

    /// The error for the user.
    ///
    /// - Parameter setting: The setting with the URL of the endpoint.
    func error(from place: String, setting: String) -> NetworkError {
        guard let code else {
            return NetworkError(
                .status, "\(place) responded with \(status) and no token", hint: "check that \(setting) is the URL of this endpoint")
        }
        return NetworkError(.status, "\(place) refused to issue a token: \(code)\(explanation.map { " (\($0))" } ?? "")", hint: hint(for: code))
    }

    private func hint(for code: String) -> String? {
        switch code {
        case "invalid_client": "check clientID, clientSecret and clientAuthentication"
        case "invalid_grant": "check the user and the password, or sign in again"
        case "access_denied": "permit the access on the page of the server"
        case "unauthorized_client": "permit this grant for the client at the server"
        case "unsupported_grant_type": "choose a grant that the server supports"
        case "invalid_scope": "check scope"
        case "invalid_target": "check audience"
        default: nil
        }
    }

    /// A text of a server for a message, without control characters and not longer than a line or two.
    static func printable(_ text: String) -> String {
        let visible = String(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) })
        return visible.count > 300 ? visible.prefix(300) + "…" : visible
    }
}
