internal import SortieHTTP

extension NetworkError {
    /// The error for a refresh that ended without a token.
    static func refreshFailed(_ error: any Error, hiding token: String?) -> NetworkError {
        if let failure = error as? RefreshError { return failure.error }
        let failure = error as? NetworkError
        var words = failure.map { [$0.message, $0.underlying].compactMap(\.self).joined(separator: "; ") } ?? String(describing: error)
        // The text comes from other code and may quote what was sent.
        if let token, !token.isEmpty { words = words.split(separator: token, omittingEmptySubsequences: false).joined(separator: HeaderField.mask) }
        // A transport error keeps its code, so that a retry policy recognises it; any other error was a rejection.
        let code = failure.map { $0.errorClass == .transport ? $0.code : .status } ?? .status
        var result = NetworkError(code, "the token could not be refreshed", hint: "sign in again", underlying: words)
        result.cause = error
        return result
    }

    /// The error for too many refreshes in a short time.
    static func excessiveRefresh(wait: Duration) -> NetworkError {
        NetworkError(
            .status,
            "excessive refresh: the token was refreshed \(RefreshHistory.limit) times within \(RefreshHistory.window.inSeconds) and rejected again",
            hint: "the server may not accept tokens of this kind; the next refresh is possible in \((wait + .milliseconds(999)).inSeconds)")
    }

    /// The error for requests that waited for a refresh whose credential was removed.
    static let credentialInvalidated = NetworkError(
        .status, "the credential was removed while it was being refreshed", hint: "sign in again")

    /// The error for a refresh that waits for itself.
    static let refreshAsksForCredential = NetworkError(
        .invalidOption, "the request that refreshes the token requires the token itself, so it would wait for itself",
        remedy: .refreshWithoutAuthentication)

    /// The error for requests whose sign-in the user cancelled.
    static let signInCancelled = NetworkError(.cancelled, "the sign-in was cancelled")

    /// The error for a waiting request that was cancelled.
    static let waitCancelled = NetworkError(.cancelled, "the request was cancelled while it waited for a token")
}

extension NetworkError {
    /// The Digest algorithms that every libcurl supports (RFC 7616 §3.3), and those that not every one calculates correctly.
    private static let digestAlgorithms = (all: ["MD5", "MD5-sess", "SHA-256", "SHA-256-sess"], late: ["SHA-512-256", "SHA-512-256-sess"])

    /// The error for a 401 whose challenges exclude the credentials of the request; nil where they fit or no challenge came.
    ///
    /// - Parameters:
    ///   - hasBody: Whether the request has a body.
    ///   - hasLateAlgorithms: Whether libcurl calculates SHA-512/256.
    static func unmetChallenge(_ credential: Auth, _ headers: Headers, hasBody: Bool, hasLateAlgorithms: Bool) -> NetworkError? {
        guard let scheme = credential.challengeScheme else { return nil }
        if case .ntlm(let login) = credential, login.permitsOthers { return nil }
        let challenges = AuthChallenge.all(in: headers)
        guard !challenges.isEmpty else { return nil }
        // libcurl uses the first Digest challenge only.
        guard let challenge = challenges.first(where: { $0.scheme.lowercased() == scheme.lowercased() }) else {
            let schemes = challenges.map(\.scheme).joined(separator: " and ")
            // The ticket was sent with the request.
            let unsent = credential == .negotiate ? "" : "; the credentials were not sent"
            return NetworkError(
                .status, "the server responded with 401 and requires \(schemes), not \(scheme)\(unsent)", remedy: .otherAuthentication)
        }
        guard case .digest = credential else { return nil }
        let algorithm = challenge.parameters["algorithm"] ?? "MD5"
        let supported = digestAlgorithms.all + (hasLateAlgorithms ? digestAlgorithms.late : [])
        guard !supported.contains(where: { $0.lowercased() == algorithm.lowercased() }) else {
            // libcurl calculates the digest of every body as that of an empty one.
            let qualities = (challenge.parameters["qop"] ?? "auth").split { $0 == "," || $0 == " " }
            guard hasBody, !qualities.contains(where: { $0.lowercased() == "auth" }) else { return nil }
            return NetworkError(
                .status, "the server responded with 401 and requires Digest with auth-int, which is not supported for a request with a body",
                remedy: .otherAuthentication)
        }
        // libcurl sent a wrong digest, which has no secret either.
        let unsent = digestAlgorithms.late.contains { $0.lowercased() == algorithm.lowercased() } ? "" : "; the credentials were not sent"
        return NetworkError(
            .status, "the server responded with 401 and requires Digest with \(algorithm), which is not supported\(unsent)",
            hint: "supported are \(supported.filter { !$0.hasSuffix("-sess") }.joined(separator: ", "))")
    }
}

/// A failed refresh whose error already names the cause and the remedy, so that it is reported unchanged.
struct RefreshError: Error {
    let error: NetworkError
}

/// The start times of recent refreshes, to stop a loop in which the server rejects every new token.
struct RefreshHistory: Sendable {
    /// The maximum number of refreshes that may start within ``window``.
    static let limit = 5
    /// The period in which refreshes are counted.
    static let window = Duration.seconds(30)

    private var starts: [ContinuousClock.Instant] = []

    /// Records a refresh that starts now; returns nil when it may start, else the time until the next one may.
    mutating func admit(at now: ContinuousClock.Instant) -> Duration? {
        starts.removeAll { now - $0 >= Self.window }
        if let first = starts.first, starts.count >= Self.limit { return Self.window - (now - first) }
        starts.append(now)
        return nil
    }
}
