internal import SortieBase
internal import SortieHTTP

/// A successful response of a device authorization endpoint (RFC 8628 §3.2).
struct OAuth2DeviceCode: Sendable {
    /// The longest code that is displayed, in characters.
    private static let longestUserCode = 100

    /// The code of the token requests, a secret.
    let deviceCode: String
    /// The code that the user enters.
    let userCode: String
    /// The page on which the user enters it.
    let page: HTTPURL
    /// A page that contains the code already; nil where the server has none.
    let pageWithCode: HTTPURL?
    /// The lifetime of the codes in seconds; nil where the server names none.
    let lifetime: Double?
    /// The minimum time between two token requests in seconds; nil where the server names none.
    let interval: Double?

    /// Reads a response.
    ///
    /// - Throws: An error for a refusal and for a response without the codes.
    init(_ response: Response, from place: String, hiding secrets: [String]) throws(NetworkError) {
        let body = try OAuth2Body(response, from: place, setting: "deviceURL", hiding: secrets, success: "device_code")
        guard let deviceCode = try body.text("device_code"), !deviceCode.isEmpty else { throw body.invalid("no device_code") }
        guard let userCode = try body.text("user_code"), !userCode.isEmpty else { throw body.invalid("no user_code") }
        guard userCode.count <= Self.longestUserCode else { throw body.invalid("a user_code of \(userCode.count) characters") }
        (self.deviceCode, self.userCode) = (deviceCode, OAuth2Refusal.printable(userCode))
        func url(_ name: String) throws(NetworkError) -> HTTPURL? {
            guard let text = try body.text(name), !text.isEmpty else { return nil }
            do { return try HTTPURL(parsing: text) } catch { throw body.invalid("\(name) that is not an http or https URL") }
        }
        // Some servers use the name of a draft.
        let names = ["verification_uri", "verification_url"]
        var page: HTTPURL?
        for name in names where page == nil { page = try url(name) }
        guard let page else { throw body.invalid("no verification_uri") }
        self.page = page
        pageWithCode = try url("verification_uri_complete")
        lifetime = try body.seconds("expires_in")
        interval = try body.seconds("interval")
    }
}
