internal import FoundationEssentials
internal import SortieHTTP

/// An attempt, as stored in the history.
struct StoredAttempt: Codable {
    struct Choice: Codable {
        var reason: String
        var count: Int
        var score: StoredSeconds
        var latency: StoredSeconds?
        var successes: Int
        var requests: Int
    }

    struct SetCookie: Codable {
        var name: String
        var cookie: StoredCookie?
        /// `stored`, `replaced`, `deleted` or `expired`; for a refused cookie the reason.
        var outcome: String
        var isRefused: Bool
    }

    var url: StoredURL
    var method: StoredMethod
    var address: String?
    var choice: Choice?
    var isConnectionReused: Bool
    var status: Int?
    /// The response; nil for the last attempt of an exchange, whose response is in a column.
    var answer: StoredResponse?
    /// The start in seconds since 1970.
    var startedAt: Double?
    /// The header fields that were sent; nil for the last attempt of an exchange, whose fields are in a column.
    var sentHeaders: [[String]]?
    /// Whether the request body was sent.
    var hasBody: Bool?
    var sentBodyBytes: Int64?
    var isBodyElsewhere: Bool?
    var localPort: Int?
    var lookup: StoredSeconds?
    var conditions: String?
    var error: StoredError?
    var delay: StoredSeconds
    var sentCookies: [StoredCookie]
    var setCookies: [SetCookie]
    var certificates: [PresentedCertificate]
    /// Whether the certificate was not verified; nil where it was.
    var isUnverified: Bool?
    var timing: StoredTiming

    /// - Parameters:
    ///   - isLast: Whether the attempt is the last one of the exchange, whose fields have columns.
    ///   - response: The response of the exchange.
    init(_ attempt: Attempt, isLast: Bool, response: Response?) {
        startedAt = attempt.startedAt.timeIntervalSince1970
        sentHeaders = isLast ? nil : attempt.sentHeaders.pairs
        sentBodyBytes = isLast ? nil : attempt.sentBodyBytes
        hasBody = attempt.body != .none
        answer = isLast && attempt.response == response?.head ? nil : attempt.response.map(StoredResponse.init)
        isBodyElsewhere = attempt.isBodyElsewhere ? true : nil
        localPort = attempt.localPort
        lookup = attempt.lookup.map(StoredSeconds.init)
        conditions = attempt.conditions
        url = StoredURL(attempt.url)
        method = StoredMethod(attempt.method)
        address = attempt.address
        choice = attempt.addressChoice.map {
            let standing = $0.standing
            return Choice(
                reason: $0.reason.rawValue, count: $0.count, score: StoredSeconds(standing.score), latency: standing.latency.map(StoredSeconds.init),
                successes: standing.successes, requests: standing.requests)
        }
        (isConnectionReused, status) = (attempt.isConnectionReused, attempt.status)
        error = attempt.error.map(StoredError.init)
        delay = StoredSeconds(attempt.delay)
        sentCookies = attempt.sentCookies.map(StoredCookie.init)
        setCookies = attempt.setCookies.map(SetCookie.init)
        certificates = attempt.certificates
        isUnverified = attempt.isUnverified ? true : nil
        timing = StoredTiming(attempt.timing)
    }

    /// A stored time; nil for one outside the years 1970 to 9999, which Sortie never writes.
    private static func date(_ seconds: Double) -> Date? {
        (0...253_402_300_799).contains(seconds) ? Date(timeIntervalSince1970: seconds) : nil
    }

    /// The restored attempt.
    ///
    /// - Parameters:
    ///   - isLast: Whether the attempt is the last one of the exchange.
    ///   - exchange: The exchange with its start, its request and its response.
    func attempt(isLast: Bool, of exchange: Exchange) -> Attempt {
        var attempt = Attempt(
            url: url.url, method: method.method, startedAt: startedAt.flatMap(Self.date) ?? exchange.startedAt)
        attempt.sentHeaders = Headers(pairs: sentHeaders ?? [])
        attempt.sentBodyBytes = max(0, sentBodyBytes ?? 0)
        if hasBody ?? (isLast && method.method == exchange.request.method) { attempt.body = exchange.request.body }
        if let answer {
            attempt.response = answer.response(body: .empty)
        } else if let status {
            attempt.response = isLast && exchange.response?.status == status ? exchange.response?.head : Response(status: status)
        }
        attempt.isBodyElsewhere = isBodyElsewhere ?? false
        attempt.localPort = localPort
        attempt.lookup = lookup?.value
        (attempt.conditions, attempt.address) = (conditions, address)
        attempt.addressChoice = choice.flatMap { choice in
            AddressChoice.Reason(rawValue: choice.reason).map {
                AddressChoice(
                    $0, count: choice.count,
                    standing: AddressScore(
                        score: choice.score.value, latency: choice.latency?.value, successes: choice.successes, requests: choice.requests))
            }
        }
        attempt.isConnectionReused = isConnectionReused
        attempt.error = error?.error
        attempt.delay = delay.value
        attempt.sentCookies = sentCookies.map(\.cookie)
        attempt.setCookies = setCookies.map(\.decision)
        attempt.certificates = certificates
        attempt.isUnverified = isUnverified ?? false
        attempt.timing = timing.timing
        return attempt
    }
}

extension StoredAttempt.SetCookie {
    init(_ decision: CookieDecision) {
        name = decision.name
        cookie = decision.cookie.map(StoredCookie.init)
        isRefused = false
        switch decision.outcome {
        case .stored: outcome = "stored"
        case .replaced: outcome = "replaced"
        case .deleted: outcome = "deleted"
        case .expired: outcome = "expired"
        case .refused(let reason):
            outcome = reason
            isRefused = true
        }
    }

    var decision: CookieDecision {
        let result: CookieDecision.Outcome =
            switch outcome {
            case _ where isRefused: .refused(outcome)
            case "replaced": .replaced
            case "deleted": .deleted
            case "expired": .expired
            default: .stored
            }
        return CookieDecision(name: name, cookie: cookie?.cookie, outcome: result)
    }
}
