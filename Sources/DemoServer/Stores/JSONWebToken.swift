import Foundation
import SortieBase

/// A received JSON Web Token in the compact serialization (RFC 7515 §7.1), signed with HS256.
struct JSONWebToken: Sendable {
    /// Why a token is refused, as a clause.
    struct Refusal: Error {
        let reason: String
    }

    private struct Header: Decodable {
        let alg: String
    }

    private struct Claims: Decodable {
        let sub: String?
        let exp: Double?
        let nbf: Double?
        let iat: Double?
        let aud: Audience?
    }

    /// One audience or several (RFC 7519 §4.1.3).
    private struct Audience: Decodable {
        let names: [String]

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            do { names = [try value.decode(String.self)] } catch { names = try value.decode([String].self) }
        }
    }

    /// The audience that a token must have.
    static let audience = "demo"
    /// The number of seconds by which the clock of a client may be fast.
    private static let tolerance = 60.0

    private let claims: Claims
    /// The subject; empty for none.
    var subject: String { claims.sub ?? "" }

    /// Verifies the signature of a token, and reads its claims.
    init(_ text: String, key: String) throws(Refusal) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let header = Self.decoded(parts[0]), let claims = Self.decoded(parts[1]), let signature = Self.decoded(parts[2])
        else {
            throw Refusal(reason: "it does not have three parts in base64url")
        }
        // The algorithm is that of the server: a token cannot select none, or one for which the key is public (RFC 8725 §3.1).
        guard let algorithm = Self.value(Header.self, header)?.alg, algorithm == "HS256" else {
            throw Refusal(reason: "its algorithm is not HS256")
        }
        let code = HashFunction.sha256.authenticationCode(of: "\(parts[0]).\(parts[1])".utf8, key: key.utf8)
        guard code == Array(signature) else {
            throw Refusal(reason: "its signature was made with another key")
        }
        guard let value = Self.value(Claims.self, claims) else {
            throw Refusal(reason: "its claims are not a JSON object with the types of RFC 7519")
        }
        self.claims = value
    }

    /// Verifies the claims.
    ///
    /// - Parameter now: Seconds since 1970-01-01T00:00:00Z.
    /// - Returns: The number of seconds until the token expires.
    func verify(at now: Double) throws(Refusal) -> Int {
        guard let expiry = claims.exp else { throw Refusal(reason: "it has no exp") }
        guard expiry > now else { throw Refusal(reason: "it expired \(Self.seconds(now - expiry)) s ago") }
        if let start = claims.nbf, start > now + Self.tolerance { throw Refusal(reason: "nbf is in \(Self.seconds(start - now)) s") }
        if let issued = claims.iat, issued > now + Self.tolerance { throw Refusal(reason: "iat is in \(Self.seconds(issued - now)) s") }
        guard claims.aud?.names.contains(Self.audience) == true else { throw Refusal(reason: "aud is not \(Self.audience)") }
        guard !subject.isEmpty else { throw Refusal(reason: "it has no sub") }
        return Self.seconds(expiry - now)
    }

    /// A number of seconds without its fraction, also for one that no integer has.
    private static func seconds(_ value: Double) -> Int { Int(min(value, 1e15)) }

    private static func value<Value: Decodable>(_ type: Value.Type, _ data: Data) -> Value? {
        do { return try JSONDecoder().decode(type, from: data) } catch { return nil }
    }

    private static func decoded(_ text: String) -> Data? {
        guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") }) else { return nil }
        return Base64.bytes(text).map { Data($0) }
    }
}
