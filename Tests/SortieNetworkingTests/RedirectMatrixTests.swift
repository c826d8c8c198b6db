import Foundation
import Support
import Testing

@testable import SortieNetworking

/// Tests which secrets a redirect to another origin keeps, as a table of destination, status and secret (`Security.md` 7).
@Suite struct RedirectMatrixTests {
    /// The destination of a redirect from `http://a.example`, or from `https://a.example` where the name says so.
    enum Place: String, CaseIterable, Sendable {
        case sameOrigin, otherPort, otherHost, toTLS, fromTLS, otherTLSPort

        var urls: (from: String, to: String) {
            switch self {
            case .sameOrigin: ("http://a.example/", "http://a.example:80/there")
            case .otherPort: ("http://a.example/", "http://a.example:8080/there")
            case .otherHost: ("http://a.example/", "http://b.example/there")
            case .toTLS: ("http://a.example/", "https://a.example/there")
            case .fromTLS: ("https://a.example/", "http://a.example/there")
            case .otherTLSPort: ("https://a.example/", "https://a.example:8443/there")
            }
        }
    }

    /// The secret of the request.
    enum Secret: String, CaseIterable, Sendable {
        case authorization, cookie, apiKey, vaultToken, redactedName, value, basicValue, digest, ticket, clientCertificate
        case form, json, jsonName, multipart, plainBody, fileBody

        var field: HeaderField? {
            switch self {
            case .authorization: HeaderField("Authorization", "Bearer x")
            case .cookie: HeaderField("Cookie", "a=b")
            case .apiKey: HeaderField("X-Api-Key", "x")
            case .vaultToken: HeaderField("X-Vault-Token", "x")
            case .redactedName: HeaderField("X-Team", "x")
            case .value: HeaderField("X-Trace", "1-s%2Fecret-2")
            case .basicValue: HeaderField("X-Login", Data("me:s/ecret".utf8).base64EncodedString())
            default: nil
            }
        }

        var body: RequestBody? {
            switch self {
            case .form: .form([("a", "s/ecret")])
            case .json: .text(#"{"a": "s\/ecret"}"#, contentType: "application/json")
            case .jsonName: .text(#"{"password": "typed"}"#, contentType: "application/json")
            case .multipart: .multipart([.init(name: "a", content: .bytes(Array("s/ecret".utf8)))])
            case .plainBody: .text("plain", contentType: "text/plain")
            case .fileBody: .file(path: "/etc/hostname", contentType: nil)
            default: nil
            }
        }

        /// The name in the notice.
        var name: String {
            switch self {
            case .digest: "the Digest login"
            case .ticket: "the Kerberos ticket"
            case .clientCertificate: "the client certificate"
            default: field?.name ?? ""
            }
        }
    }

    enum Outcome: Equatable {
        /// The redirect is followed with the secret.
        case followed
        /// The redirect is followed without the secret, and the notice names the secret.
        case withheld
        /// The redirect is followed as GET without the body.
        case withoutBody
        /// The redirect is not followed; its response is the result.
        case notFollowed
        /// The call fails.
        case refused
    }

    /// The expected outcomes.
    static func expected(_ place: Place, _ status: Int, _ secret: Secret) -> Outcome {
        switch (place, secret) {
        case (.fromTLS, _): .refused
        case (_, .form), (_, .json), (_, .jsonName), (_, .multipart), (_, .plainBody), (_, .fileBody):
            switch (status, place, secret) {
            case (301, _, _), (302, _, _), (303, _, _): .withoutBody
            case (_, .sameOrigin, _), (_, _, .plainBody), (_, _, .fileBody): .followed
            default: .notFollowed
            }
        case (.sameOrigin, _): .followed
        default: .withheld
        }
    }

    private static func request(_ place: Place, _ secret: Secret) throws -> Request {
        var request = Request(url: try HTTPURL(parsing: place.urls.from), headers: [HeaderField("X-Plain", "kept")])
        request.secrets.values = ["s/ecret"]
        request.secrets.names = ["x-team"]
        if let field = secret.field { request.headers.fields.append(field) }
        if let body = secret.body { (request.method, request.body) = (.post, body) }
        if secret == .digest { request.options.credential = .digest(user: "u", password: "p") }
        if secret == .clientCertificate { request.options.trust.clientCertificateFile = "me.pem" }
        if secret == .ticket { request.options.credential = .negotiate }
        request.options.unixSocket = "/tmp/socket"
        request.options.trust.isInsecure = true
        return request
    }

    private static func response(_ status: Int, _ location: String) -> Response {
        Response(status: status, reason: "", headers: [HeaderField("Location", location)], body: .empty, wireBytes: 0, remoteAddress: "")
    }

    @Test(arguments: Place.allCases, [301, 302, 303, 307, 308])
    func `the table of redirects applies to every secret`(_ place: Place, _ status: Int) throws {
        for secret in Secret.allCases {
            let request = try Self.request(place, secret)
            let expected = Self.expected(place, status, secret)
            let row = "\(place) \(status) \(secret)"
            guard expected != .refused else {
                #expect(throws: NetworkError.self, "\(row)") { try Redirect(of: request, after: Self.response(status, place.urls.to)) }
                continue
            }
            let redirect = try #require(try Redirect(of: request, after: Self.response(status, place.urls.to)))
            #expect(redirect.leavesOrigin == (place != .sameOrigin), "\(row)")
            guard expected != .notFollowed else {
                #expect(redirect.request == nil, "\(row)")
                #expect(redirect.notice?.contains("is not followed: the body contains a secret") == true, "\(row)")
                continue
            }
            let next = try #require(redirect.request, "\(row)")
            #expect(next.headers["X-Plain"] == "kept", "\(row)")
            #expect((next.options.unixSocket != nil) == (place == .sameOrigin), "\(row)")
            #expect(next.options.trust.isInsecure == (place == .sameOrigin), "\(row)")
            #expect(next.body == (expected == .followed ? request.body : .none), "\(row)")
            let isKept = expected == .followed
            if let field = secret.field { #expect((next.headers[field.name] == field.value) == isKept, "\(row)") }
            if secret == .ticket { #expect((next.options.credential == .negotiate) == isKept, "\(row)") }
            if secret == .digest { #expect((next.options.credential.login != nil) == isKept, "\(row)") }
            if secret == .clientCertificate { #expect((next.options.trust.clientCertificateFile != nil) == isKept, "\(row)") }
            #expect((redirect.notice != nil) == (expected == .withheld), "\(row)")
            if expected == .withheld { #expect(redirect.notice?.contains("without \(secret.name),") == true, "\(row)") }
        }
    }

    @Test(arguments: [301, 302])
    func `a method that keeps its body does not send a secret in it to another origin`(_ status: Int) throws {
        var request = try Self.request(.otherHost, .json)
        request.method = .put
        #expect(try #require(try Redirect(of: request, after: Self.response(status, "http://b.example/"))).request == nil)
        #expect(try #require(try Redirect(of: request, after: Self.response(status, "/there"))).request?.body == request.body)
    }

    @Test func `a body with a secret that was encrypted for the first origin is not sent to another one`() throws {
        var request = try Self.request(.otherHost, .json)
        let plain = request.body
        request.body = .bytes([1, 2, 3], contentType: nil)
        #expect(try #require(try Redirect(of: request, after: Self.response(307, "http://b.example/"), plainBody: plain)).request == nil)
        #expect(try #require(try Redirect(of: request, after: Self.response(303, "http://b.example/"), plainBody: plain)).request != nil)
    }

    @Test(arguments: [("http://u:p@a.example/b", true), ("/b", false), ("http://a.example/b", false)])
    func `a login in a Location is not used, and the decision says so`(location: String, isNamed: Bool) throws {
        let request = Request(url: try HTTPURL(parsing: "http://me:x@a.example/"))
        let redirect = try #require(try Redirect(of: request, after: Self.response(302, location)))
        #expect(redirect.explanation.contains("without the login in its Location") == isNamed, "\(redirect.explanation)")
        #expect(redirect.request?.headers["Authorization"] == nil)
    }

    @Test func `a redirect to another server of the ring keeps the ring's secrets`() throws {
        let request = try Self.request(.otherHost, .authorization)
        let response = Self.response(307, "http://b.example/")
        let ring = [try HTTPURL(parsing: "http://b.example/x")]
        let redirect = try #require(try Redirect(of: request, after: response, configured: ring))
        #expect(redirect.request?.headers["Authorization"] == "Bearer x")
        #expect(redirect.notice == nil && !redirect.leavesOrigin)
    }

    @Test func `a repeated field is listed once, and several fields are listed together`() throws {
        var request = try Self.request(.otherHost, .cookie)
        request.headers.fields += [HeaderField("cookie", "c=d"), HeaderField("X-Api-Key", "x")]
        request.options.credential = .digest(user: "u", password: "p")
        let redirect = try #require(try Redirect(of: request, after: Self.response(302, "https://b.example/")))
        #expect(
            redirect.notice
                == "the redirect (302) to https://b.example was followed without Cookie, X-Api-Key, the Digest login, "
                + "which only http://a.example may receive")
    }
}
