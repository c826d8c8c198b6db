import SortieBase

/// The codes of sign-ins: for a redirect to a program (RFC 6749 §4.1) and for entering on a page (RFC 8628).
actor SignInStore {
    /// An authorization code: it is used once, with the redirect and the proof of its request.
    struct Authorization: Sendable {
        let redirect: String
        /// The base64url text of the SHA-256 of the verifier (RFC 7636 §4.2); empty where the request had none.
        let challenge: String
    }

    /// What the user decided about a device.
    enum Decision: Sendable { case pending, permitted, denied }

    /// The maximum number of codes of each kind; beyond it all are dropped.
    private static let limit = 1000

    private var authorizations: [String: Authorization] = [:]
    private var devices: [String: (userCode: String, decision: Decision)] = [:]

    func issue(_ authorization: Authorization) -> String {
        if authorizations.count >= Self.limit { authorizations = [:] }
        let code = Self.random(16)
        authorizations[code] = authorization
        return code
    }

    func redeem(_ code: String) -> Authorization? { authorizations.removeValue(forKey: code) }

    func issueDevice() -> (deviceCode: String, userCode: String) {
        if devices.count >= Self.limit { devices = [:] }
        let letters = Array("BCDFGHJKLMNPQRSTVWXZ")
        let user = (0..<8).map { String(letters[Int.random(in: 0..<letters.count)]) + ($0 == 3 ? "-" : "") }.joined()
        let code = Self.random(16)
        devices[code] = (user, .pending)
        return (code, user)
    }

    /// Whether a device waits for the decision about its code.
    func hasDevice(userCode: String) -> Bool { devices.values.contains { $0.userCode == userCode.uppercased() } }

    /// Notes the decision of the user; false where no device has the code.
    func decide(_ userCode: String, _ decision: Decision) -> Bool {
        guard let code = devices.first(where: { $0.value.userCode == userCode.uppercased() })?.key else { return false }
        devices[code]?.decision = decision
        return true
    }

    /// The decision about a device, which is forgotten after it was made; nil for an unknown one.
    func decision(of deviceCode: String) -> Decision? {
        guard let decision = devices[deviceCode]?.decision else { return nil }
        if decision != .pending { devices[deviceCode] = nil }
        return decision
    }

    private static func random(_ count: Int) -> String { HexDigits.text((0..<count).map { _ in UInt8.random(in: 0...255) }) }
}
