internal import SortieBase
internal import SortieHTTP

/// The credentials in the blocks of a request, of a folder or of a collection.
struct BrunoAuth {
    /// The credentials; none where they cannot be expressed.
    private(set) var auth = Auth.none
    /// What was changed or omitted.
    private(set) var notes: [ForeignVariables.Note] = []

    /// Reads the block of a mode.
    init(_ mode: String, _ blocks: [BruBlock], _ templates: inout BrunoTemplates) {
        let block = blocks["auth:\(mode)"]
        func value(_ name: String) -> String { templates.text(block?[name] ?? "") }
        switch mode {
        case "none": break
        case "inherit": auth = .inherit
        case "bearer": auth = .bearer(token: value("token"))
        case "basic": auth = .basic(user: value("username"), password: value("password"))
        case "digest": auth = .digest(user: value("username"), password: value("password"))
        case "ntlm":
            let (user, domain) = (value("username"), value("domain"))
            auth = .ntlm(NTLMCredential(user: domain.isEmpty ? user : "\(domain)\\\(user)", password: value("password")))
        case "apikey":
            let key = APIKey(name: value("key"), value: value("value"), in: block?["placement"] == "queryparams" ? .query : .header)
            if key.name.isEmpty { omit("the API key has no name; add the header field") } else { auth = .apiKey(key) }
        case "awsv4":
            if let profile = block?["profileName"], !profile.isEmpty { omit("the profile \(profile) of AWS is not read; write its keys as secrets") }
            auth = .awsSigV4(
                AWSCredential(
                    region: value("region"), service: value("service"), accessKey: value("accessKeyId"), secretKey: value("secretAccessKey"),
                    sessionToken: value("sessionToken")))
        case "oauth2": setOAuth2(block, &templates)
        default: omit("\(mode) authentication is not made; write the credentials as a field")
        }
    }

    private mutating func omit(_ reason: String) { notes.append((.omitted, reason)) }

    private mutating func setOAuth2(_ block: BruBlock?, _ templates: inout BrunoTemplates) {
        func raw(_ name: String) -> String { block?[name] ?? "" }
        do throws(ImportedOAuth2.Refusal) {
            let (settings, change) = try ImportedOAuth2.settings(grant: raw("grant_type"), sendsClientInBody: raw("credentials_placement") == "body")
            {
                templates.text(raw(Self.name($0)))
            }
            auth = .oauth2(settings)
            if let change { notes.append((.changed, change)) }
        } catch { return omit(error.reason) }
        let prefix = raw("token_header_prefix")
        if raw("token_placement") == "url" {
            notes.append((.changed, "the token is sent as a field instead of the parameter \(raw("token_query_key"))"))
        } else if !prefix.isEmpty, prefix.lowercased() != "bearer" {
            notes.append((.changed, "the token is sent with Bearer instead of \(prefix)"))
        }
        let refresh = raw("refresh_token_url")
        if !refresh.isEmpty, refresh != raw("access_token_url") { omit("OAuth 2: the token is renewed at the token URL instead of \(refresh)") }
    }

    /// The name of a setting in a block.
    private static func name(_ field: OAuth2.Field) -> String {
        switch field {
        case .grant: "grant_type"
        case .authorizationURL: "authorization_url"
        case .deviceURL: "device_authorization_url"
        case .tokenURL: "access_token_url"
        case .redirectURL: "callback_url"
        case .clientID: "client_id"
        case .clientSecret: "client_secret"
        case .clientAuthentication: "credentials_placement"
        case .user: "username"
        case .issuer, .password, .scope, .audience: field.rawValue
        }
    }
}
