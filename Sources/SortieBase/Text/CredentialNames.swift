/// The names under which services send and expect credentials: header fields, query and form parameters, and JSON keys.
///
/// Masking, redirects, the history, HAR, logs and exports use this list. Names are compared without case, `-` and `_`. A workspace adds names
/// with `redact:`.
package enum CredentialNames {
    /// Names that denote a credential everywhere.
    package static let everywhere =
        fields + cloudServices + tokens + secrets + sessions + signatures

    /// Names that denote a credential only in queries, forms and fragments.
    ///
    /// In JSON they usually mean something else (`code` is a status there).
    package static let parameters = ["auth", "code", "key", "pass"]

    /// ``everywhere`` in the normalised form.
    package static let known = Set(everywhere.map(plain))

    /// Whether a name denotes a credential everywhere.
    package static func contains(_ name: String) -> Bool { known.contains(plain(name)) }

    /// Words that denote a credential at the end of the name of a variable or setting, besides ``everywhere``.
    private static let endings: Set<String> = ["auth", "pass", "pat", "pw"]

    /// Ends of longer names that are identifiers, or positions in a list, although ``everywhere`` has their last word.
    private static let identifiers = ["sid", "sign", "pagetoken", "nexttoken", "continuationtoken", "synctoken"]

    /// Whether a name, or its last words, denote a credential, as in `AUTH0_CLIENT_SECRET`, `prod_password` and `shopToken`.
    ///
    /// For the names of variables and settings, which people choose, and which are more precise than those of fields.
    package static func ends(_ name: String) -> Bool {
        if contains(name) || ["pat", "pw"].contains(plain(name)) { return true }
        let words = words(of: name)
        guard words.count > 1, let last = words.last, !identifiers.contains(where: { words.joined().hasSuffix($0) }) else { return false }
        return endings.contains(last) || words.indices.dropFirst().contains { known.contains(words[$0...].joined()) }
    }

    /// The words of a name in lower case: they are divided by signs, or begin with a capital letter.
    private static func words(of name: String) -> [String] {
        var words: [[UInt8]] = [[]]
        let bytes = Array(name.utf8)
        for (index, byte) in bytes.enumerated() {
            guard !"-_.".utf8.contains(byte) else {
                words.append([])
                continue
            }
            if isCapital(byte), index > 0 {
                let isAfterCapital = isCapital(bytes[index - 1])
                // “APIToken” has two words.
                let beginsWord = index + 1 < bytes.count && ASCII.isLetter(bytes[index + 1]) && !isCapital(bytes[index + 1])
                if !isAfterCapital || beginsWord { words.append([]) }
            }
            words[words.count - 1].append(ASCII.lowercased(byte))
        }
        return words.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func isCapital(_ byte: UInt8) -> Bool { (0x41...0x5a).contains(byte) }

    /// The normalised form for comparisons: lower case, without `-` and `_`.
    package static func plain(_ name: String) -> String {
        // Not String(decoding:as:): with another collection than an array it searches a conformance for each name, also at the start of the program.
        String(unsafeUninitializedCapacity: name.utf8.count) { buffer in
            var count = 0
            for byte in name.utf8 where byte != 0x2d && byte != 0x5f {
                buffer[count] = ASCII.lowercased(byte)
                count += 1
            }
            return count
        }
    }

    /// Header fields of HTTP and of many services.
    private static let fields = [
        "Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-Api-Key", "Api-Key", "X-Auth-Token", "X-Auth-Key", "X-Access-Token",
        "X-Csrf-Token", "X-Xsrf-Token", "X-Token", "X-Secret", "X-Password", "DPoP", "X-Session-Token", "X-Session-Id", "X-User-Token",
        "X-Refresh-Token", "X-Id-Token", "X-Client-Secret", "X-Amzn-Oidc-Data", "X-Amzn-Oidc-Accesstoken", "Cf-Access-Jwt-Assertion",
        "X-Forwarded-Access-Token", "X-Original-Authorization", "X-Authorization", "X-Api-Token", "X-Api-Secret", "X-App-Token", "X-App-Secret",
        "X-Webhook-Secret", "X-Hub-Signature", "X-Hub-Signature-256",
    ]

    /// Header fields and parameters of individual services.
    private static let cloudServices = [
        "PRIVATE-TOKEN", "JOB-TOKEN", "DEPLOY-TOKEN", "X-Gitlab-Token", "X-GitHub-Token", "X-Vault-Token", "X-Consul-Token", "X-Nomad-Token",
        "X-Amz-Security-Token", "X-Amz-Signature", "X-Amz-Credential", "X-Goog-Api-Key", "X-Goog-Signature", "X-Goog-Credential",
        "X-Goog-Iap-Jwt-Assertion", "Ocp-Apim-Subscription-Key", "X-Functions-Key", "X-Ms-Token-Aad-Access-Token", "X-Ms-Token-Aad-Id-Token",
        "X-Shopify-Access-Token", "X-Shopify-Storefront-Access-Token", "X-Datadog-Api-Key", "DD-API-KEY", "DD-APPLICATION-KEY", "X-Algolia-API-Key",
        "X-Auth-Email-Key", "X-Figma-Token", "X-Postmark-Server-Token", "X-Postmark-Account-Token", "X-MBX-APIKEY", "CB-ACCESS-KEY",
        "CB-ACCESS-SIGN", "CB-ACCESS-PASSPHRASE", "X-Riot-Token", "X-Plex-Token", "X-Emby-Token", "X-Cisco-Meraki-API-Key", "X-Rapidapi-Key",
        "X-Subject-Token", "X-Storage-Token", "X-Service-Token", "X-Parse-REST-API-Key", "X-Parse-Master-Key", "X-Parse-Session-Token",
        "X-Kong-Admin-Token", "Kong-Admin-Token", "X-Rundeck-Auth-Token", "X-Octopus-ApiKey", "X-NuGet-ApiKey", "X-JFrog-Art-Api", "X-Okta-Session",
        "X-Ibm-Client-Secret", "X-Line-Signature", "X-Slack-Signature", "Stripe-Signature", "X-Twilio-Signature", "Linear-Signature",
        "AWSAccessKeyId", "aws_secret_access_key", "aws_session_token", "GoogleAccessId", "subscription-key",
    ]

    /// Tokens, named as in OAuth 2.0 (RFC 6749, RFC 8628), OpenID Connect and others.
    private static let tokens = [
        "token", "access_token", "refresh_token", "id_token", "auth_token", "api_token", "bearer_token", "csrf_token", "xsrf_token",
        "oauth_token", "oauth_token_secret", "oauth_signature", "oauth_verifier", "session_token", "security_token", "private_token", "job_token",
        "user_token", "device_code", "user_code", "code_verifier", "assertion", "client_assertion", "subject_token", "actor_token", "jwt", "saml",
        "SAMLResponse", "SAMLRequest", "login_token", "push_token", "registration_token", "csrfmiddlewaretoken", "authenticity_token",
        "__RequestVerificationToken", "personal_access_token", "bearer",
    ]

    /// Secrets and keys.
    private static let secrets = [
        "secret", "client_secret", "app_secret", "api_secret", "shared_secret", "secret_key", "secret_id", "secret_access_key", "api_key",
        "app_key", "access_key", "access_key_id", "account_key", "auth_key", "encryption_key", "signing_key", "private_key", "privatekey_pem",
        "ssh_key",
        "master_key", "service_key", "password", "passwd", "passwort", "pwd", "passphrase", "passcode", "new_password", "old_password",
        "current_password", "password_confirmation", "db_password", "user_password", "admin_password", "credential", "credentials",
        "connection_string", "otp", "totp", "otp_code", "mfa_code", "two_factor_code", "verification_code", "recovery_code", "recovery_codes",
        "backup_codes", "pin_code", "card_number", "cvv", "cvc", "security_code", "security_answer",
    ]

    /// Sessions.
    private static let sessions = [
        "session", "session_id", "sessionid", "session_key", "sid", "PHPSESSID", "JSESSIONID", "ASPSESSIONID", "connect.sid", "remember_token",
        "authorization_code",
    ]

    /// Signatures: every client that has a signed URL can use it.
    private static let signatures = ["sign", "sig", "signature", "X-Sign", "X-Signature", "hmac", "hmac_signature", "hash_signature"]
}
