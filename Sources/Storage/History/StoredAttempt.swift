internal import Model

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

    struct Verdict: Codable {
        var name: String
        var cookie: StoredCookie?
        /// `stored`, `replaced`, `deleted` or `expired`; for a refused cookie the reason.
        var outcome: String
        var isRefused: Bool
    }

    struct Certificate: Codable {
        var subject: String
        var issuer: String
        var names: [String]
        var validFrom: Double
        var validUntil: Double
        var pin: String
    }

    var url: StoredURL
    var method: HTTPMethod
    var address: String?
    var choice: Choice?
    var isConnectionReused: Bool
    var status: Int?
    var error: StoredError?
    var delay: StoredSeconds
    var sentCookies: [StoredCookie]
    var setCookies: [Verdict]
    var certificates: [Certificate]
    /// Whether the certificate was not verified; nil where it was, and in files of versions up to 0.1.0.
    var isUnverified: Bool?
    var timing: StoredTiming

    init(_ attempt: Attempt) {
        url = StoredURL(attempt.url)
        method = attempt.method
        address = attempt.address
        choice = attempt.addressChoice.map {
            let standing = $0.standing
            return Choice(
                reason: $0.reason.rawValue, count: $0.count, score: StoredSeconds(standing.score), latency: standing.latency.map(StoredSeconds.init),
                successes: standing.successes, requests: standing.requests)
        }
        isConnectionReused = attempt.isConnectionReused
        status = attempt.status
        error = attempt.error.map(StoredError.init)
        delay = StoredSeconds(attempt.delay)
        sentCookies = attempt.sentCookies.map(StoredCookie.init)
        setCookies = attempt.setCookies.map(Verdict.init)
        certificates = attempt.certificates.map {
            Certificate(
                subject: $0.subject, issuer: $0.issuer, names: $0.names, validFrom: $0.validFrom, validUntil: $0.validUntil, pin: $0.pin)
        }
        isUnverified = attempt.isUnverified ? true : nil
        timing = StoredTiming(attempt.timing)
    }

    /// The restored attempt.
    var attempt: Attempt {
        var attempt = Attempt(url: url.url, method: method)
        attempt.address = address
        attempt.addressChoice = choice.flatMap { choice in
            AddressChoice.Reason(rawValue: choice.reason).map {
                AddressChoice(
                    $0, count: choice.count,
                    standing: AddressStanding(
                        score: choice.score.value, latency: choice.latency?.value, successes: choice.successes, requests: choice.requests))
            }
        }
        attempt.isConnectionReused = isConnectionReused
        attempt.status = status
        attempt.error = error?.error
        attempt.delay = delay.value
        attempt.sentCookies = sentCookies.map(\.cookie)
        attempt.setCookies = setCookies.map(\.verdict)
        attempt.certificates = certificates.map {
            PresentedCertificate(
                subject: $0.subject, issuer: $0.issuer, names: $0.names, validFrom: $0.validFrom, validUntil: $0.validUntil, pin: $0.pin)
        }
        attempt.isUnverified = isUnverified ?? false
        attempt.timing = timing.timing
        return attempt
    }
}

extension StoredAttempt.Verdict {
    init(_ verdict: CookieVerdict) {
        name = verdict.name
        cookie = verdict.cookie.map(StoredCookie.init)
        isRefused = false
        switch verdict.outcome {
        case .stored: outcome = "stored"
        case .replaced: outcome = "replaced"
        case .deleted: outcome = "deleted"
        case .expired: outcome = "expired"
        case .refused(let reason):
            outcome = reason
            isRefused = true
        }
    }

    var verdict: CookieVerdict {
        let result: CookieVerdict.Outcome =
            switch outcome {
            case _ where isRefused: .refused(outcome)
            case "replaced": .replaced
            case "deleted": .deleted
            case "expired": .expired
            default: .stored
            }
        return CookieVerdict(name: name, cookie: cookie?.cookie, outcome: result)
    }
}
