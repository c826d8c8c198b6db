internal import FoundationEssentials
internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// The credentials of a collection, a folder or a request; an API key is a row.
struct PostmanAuth {
    /// The credentials of the endpoint.
    var auth = Auth.none
    /// A header field with the credential.
    var header: Parameter?
    /// A query parameter with the credential.
    var query: Parameter?
    /// What was changed or omitted.
    private(set) var notes: [ForeignVariables.Note] = []

    /// - Returns: nil where the node says nothing, so that the credentials of the parent apply.
    init?(_ node: SourceNode?, _ template: inout PostmanTemplate) {
        guard let node, !node.isNull, let kind = node["type"]?.string, kind != "inherit" else { return nil }
        let attributes = node[kind]
        func raw(_ name: String) -> String {
            // Version 2.1 has rows, version 2.0 an object.
            let value = attributes?.items.map { $0.last { $0["key"]?.string == name }?["value"] } ?? attributes?[name]
            return value?.text ?? ""
        }
        func value(_ name: String) -> String { template.text(raw(name)) }
        switch kind {
        case "noauth": break
        case "basic": auth = .basic(user: value("username"), password: value("password"))
        case "digest": auth = .digest(user: value("username"), password: value("password"))
        case "ntlm":
            let (user, domain) = (value("username"), value("domain"))
            auth = .ntlm(NTLMCredential(user: domain.isEmpty ? user : "\(domain)\\\(user)", password: value("password")))
            if !raw("workstation").isEmpty { notes.append((.omitted, "the workstation \(raw("workstation")) of NTLM is not sent")) }
        case "awsv4":
            auth = .awsSigV4(
                AWSCredential(
                    region: value("region"), service: value("service"), accessKey: value("accessKey"), secretKey: value("secretKey"),
                    sessionToken: value("sessionToken")))
            if raw("addAuthDataToQuery") == "true" { notes.append((.changed, "the signature is sent as a field instead of parameters")) }
        case "hawk" where !raw("authId").isEmpty:
            let names = ["id": "authId", "key": "authKey", "algorithm": "algorithm", "ext": "extraData", "app": "app", "dlg": "delegation"]
            auth = .signature(SignatureCredential(.hawk, names.mapValues { value($0) }))
            if raw("includePayloadHash") == "true" { notes.append((.changed, "the Hawk code does not cover the body")) }
        case "jwt": setToken(raw) { template.text($0) }
        case "bearer": auth = .bearer(token: value("token"))
        case "apikey":
            // Postman sends the key in a header field by default.
            let key = APIKey(name: value("key"), value: value("value"), in: raw("in") == "query" ? .query : .header)
            if key.name.isEmpty { notes.append((.omitted, "the API key has no name; add the header field")) } else { auth = .apiKey(key) }
        case "oauth2":
            let rows = ["authRequestParams", "tokenRequestParams", "refreshRequestParams"].flatMap { name in
                (attributes?.items?.last { $0["key"]?.string == name }?["value"] ?? attributes?[name])?.items ?? []
            }
            setOAuth2(rows, raw, value)
        default: notes.append((.omitted, "auth: credentials of the kind \(kind) are not supported; the request is sent without them"))
        }
    }

    /// The settings for a token, or a token that is stored.
    ///
    /// - Parameter rows: The further parameters of requests for a token.
    private mutating func setOAuth2(_ rows: [SourceNode], _ raw: (String) -> String, _ value: (String) -> String) {
        let token = value("accessToken")
        let prefix = raw("headerPrefix").isEmpty ? "Bearer" : raw("headerPrefix")
        if token.isEmpty {
            // Postman's default is not stored.
            let grant = raw("grant_type").isEmpty ? "authorization_code" : raw("grant_type")
            do throws(ImportedOAuth2.Refusal) {
                let (settings, change) = try ImportedOAuth2.settings(
                    grant: grant, sendsClientInBody: raw("client_authentication") == "body"
                ) { value(Self.names[$0] ?? $0.rawValue) }
                auth = .oauth2(settings)
                if let change { notes.append((.changed, change)) }
                if raw("addTokenTo") == "queryParams" {
                    notes.append((.changed, "the token is sent as a field instead of the parameter access_token"))
                } else if !prefix.lowercased().trimmingPrefix(while: \.isWhitespace).hasPrefix("bearer") {
                    notes.append((.changed, "the token is sent with Bearer instead of \(prefix)"))
                }
                let further = rows.filter { $0["enabled"]?.bool != false }.compactMap { $0["key"]?.text }.filter { !$0.isEmpty }
                if !further.isEmpty {
                    let names = further.joined(separator: ", ")
                    notes.append((.omitted, "OAuth 2: the further parameters \(names) of its requests have no equivalent; see audience:"))
                }
                if raw("challengeAlgorithm") == "plain" {
                    notes.append((.changed, "OAuth 2: the code challenge is made with S256 instead of plain (RFC 7636 §4.2)"))
                }
                let refresh = value("refreshTokenUrl")
                if !refresh.isEmpty, refresh != settings.tokenURL {
                    notes.append((.omitted, "OAuth 2: the token is renewed at the token URL instead of \(Redaction.standard.masked(refresh))"))
                }
            } catch { notes.append((.omitted, ImportReason(error.reason))) }
        } else if raw("addTokenTo") == "queryParams" {
            query = Parameter("access_token", token)
        } else if prefix.lowercased().trimmingPrefix(while: \.isWhitespace).hasPrefix("bearer") {
            auth = .bearer(token: token)
        } else {
            header = Parameter("Authorization", "\(prefix.prefix { !$0.isWhitespace }) \(token)")
        }
    }

    /// A JSON Web Token, which Postman creates from the payload as it is written.
    private mutating func setToken(_ raw: (String) -> String, _ text: (String) -> String) {
        let algorithm = JWTCredential.Algorithm(rawValue: raw("algorithm")) ?? .hs256
        let isSecret = algorithm.rawValue.hasPrefix("HS")
        var key = isSecret ? raw("secret") : raw("privateKey")
        if isSecret, raw("isSecretBase64Encoded") == "true" {
            guard let data = Data(base64Encoded: key), let decoded = String(validating: data, as: UTF8.self) else {
                return notes.append((.omitted, "auth: the secret of the JSON Web Token is not a text in Base64; the request is sent without it"))
            }
            key = decoded
        }
        var token = JWTCredential(algorithm: algorithm, key: text(key), claims: text(raw("payload").isEmpty ? "{}" : raw("payload")), lifetime: "")
        if let problem = token.problem(of: .claims) {
            return notes.append((.omitted, "auth: the JSON Web Token is not created: \(problem)"))
        }
        var further = ["header", "headers"].map(raw).first { !$0.isEmpty } ?? ""
        if case .object(let members)? = JSONValue(ifValid: further) {
            for case (name: "kid", value: .string(let id)) in members.map({ (name: $0.key, value: $0.value) }) { token.keyID = text(id) }
            // Postman writes the algorithm and the type itself.
            if members.allSatisfy({ ["kid", "alg", "typ"].contains($0.key) }) { further = "" }
        }
        auth = .jwt(token)
        notes.append((.changed, "the JSON Web Token gets the claim iat where the payload has none"))
        if !further.allSatisfy(\.isWhitespace) {
            notes.append((.omitted, ImportReason("further fields in the header of the JSON Web Token", .token)))
        }
        let prefix = raw("headerPrefix")
        if raw("addTokenTo") == "queryParam" {
            notes.append((.changed, "the token is sent as the field Authorization instead of a parameter"))
        } else if !prefix.isEmpty, prefix.lowercased() != "bearer" {
            notes.append((.changed, "the token is sent with Bearer instead of \(prefix)"))
        }
    }

    /// The grant in a collection, with PKCE as Sortie sends it; nil for one that Postman does not have.
    static func grant(_ grant: OAuth2.Grant) -> String? {
        switch grant {
        case .clientCredentials: "client_credentials"
        case .password: "password_credentials"
        case .authorizationCode: "authorization_code_with_pkce"
        case .deviceCode, .tokenExchange: nil
        }
    }

    /// What a collection does not have of credentials.
    static func notes(about auth: Auth) -> [String] {
        switch auth {
        case .oauth2(let settings):
            if grant(settings.grant) == nil { return ["OAuth 2 with \(settings.grant.rawValue); Postman does not have this grant"] }
            let isSent = [.basic, .post].contains(settings.clientAuthentication)
            return (settings.audience.isEmpty ? [] : ["Postman does not send the audience of OAuth 2"])
                + (isSent ? [] : ["the client is not authenticated by \(settings.clientAuthentication.rawValue)"])
        case .awsSigV4: return ["the request is not signed for AWS"]
        case .jwt: return ["the JSON Web Token is not created"]
        case .negotiate: return ["the request has no Negotiate authentication"]
        case .none, .inherit, .bearer, .basic, .digest, .ntlm, .apiKey, .signature: return []
        }
    }

    /// The names of settings in a collection where they differ from ours.
    static let names: [OAuth2.Field: String] = [
        .grant: "grant_type", .authorizationURL: "authUrl", .deviceURL: "deviceAuthorizationUrl", .tokenURL: "accessTokenUrl",
        .redirectURL: "redirect_uri", .clientID: "clientId", .clientSecret: "clientSecret", .clientAuthentication: "client_authentication",
        .user: "username",
    ]

    /// Whether a service can have these credentials for all its endpoints.
    var isPlain: Bool { header == nil && query == nil }

    /// Sets the credentials of an endpoint.
    func apply(to endpoint: inout Endpoint) {
        endpoint.auth = auth
        if let header, !endpoint.headers.contains(where: { $0.isEnabled && $0.name.lowercased() == header.name.lowercased() }) {
            endpoint.headers.append(header)
        }
        if let query { endpoint.query.append(query) }
    }
}
