internal import SortieHTTP
internal import WorkspaceModel

/// The OAuth 2 settings of another tool or of a description as those of Sortie.
enum ImportedOAuth2 {
    /// Why no settings are made, as a sentence.
    struct Refusal: Error {
        let reason: String
    }

    /// The words for a grant: those of RFC 6749, and those of OpenAPI, Swagger, Postman, Insomnia and Bruno, without signs and in lower case.
    private static let grants: [String: OAuth2.Grant] = [
        "clientcredentials": .clientCredentials, "application": .clientCredentials, "password": .password, "passwordcredentials": .password,
        "resourceownerpassword": .password, "resourceownerpasswordcredentials": .password,
        "authorizationcode": .authorizationCode, "accesscode": .authorizationCode, "authorizationcodewithpkce": .authorizationCode,
        "devicecode": .deviceCode, "deviceauthorization": .deviceCode, "urnietfparamsoauthgranttypedevicecode": .deviceCode,
    ]

    /// The grant with a name in a source; nil for one that Sortie does not use.
    static func grant(_ name: String) -> OAuth2.Grant? {
        grants[String(name.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) })]
    }

    /// The settings of a grant with what it uses.
    ///
    /// - Parameters:
    ///   - name: The name of the grant in the source.
    ///   - value: The text of a setting, with the templates of Sortie; empty for none.
    /// - Returns: The settings, and a sentence about the redirect where it is not kept.
    /// - Throws: The reason where the grant is not used, or a setting that it needs is missing.
    static func settings(
        grant name: String, sendsClientInBody: Bool = false, value: (OAuth2.Field) -> String
    ) throws(Refusal) -> (settings: OAuth2, change: ImportReason?) {
        guard let grant = grant(name) else {
            let remedy = "write grant: authorizationCode or another one of Sortie under auth: {oauth2: …}, or auth: {bearer: …}"
            guard name.lowercased() == "implicit" else { throw Refusal(reason: "OAuth 2: the grant “\(name)” is not supported; \(remedy)") }
            throw Refusal(reason: "OAuth 2: the implicit grant is not supported, because it puts the token into a URL (RFC 9700 §2.1.2); \(remedy)")
        }
        var settings = OAuth2(grant: grant, tokenURL: "", clientID: "")
        settings.clientAuthentication = sendsClientInBody ? .post : .basic
        for field in OAuth2.Field.allCases where field.words == nil && settings.uses(field) { settings[field: field] = value(field) }
        // Other programs receive their redirect on a page of their own.
        var change: ImportReason?
        if !settings.redirectURL.isEmpty, !isReceived(settings.redirectURL) {
            change = """
                OAuth 2: the redirect URL \(Redaction.standard.masked(settings.redirectURL)) is not an http URL of this machine and is not kept; \
                let the server permit http://127.0.0.1/, or write one of this machine that it permits as redirectURL:
                """
            settings.redirectURL = ""
        }
        if let missing = settings.missingFields.first {
            throw Refusal(reason: "OAuth 2: \(missing.rawValue) is missing; write auth: {oauth2: …}, or auth: {bearer: …} with a token")
        }
        return (settings, change)
    }

    /// Whether the client receives a redirect to a URL with templates; their values may be a port or parts of the path.
    private static func isReceived(_ redirect: String) -> Bool {
        // A digit in place of a value makes another host of a host with a template.
        HTTPURL(ifValid: Template(redirect).filled(with: "7")).map { OAuth2.isLoopback($0) } ?? false
    }
}
