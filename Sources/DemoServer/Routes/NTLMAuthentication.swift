import Foundation
import SortieBase

/// NTLM over HTTP (MS-NTHT): a challenge and its response authenticate a connection, whose later requests need no credentials.
struct NTLMAuthentication {
    let demo: Demo

    func answer(_ call: Call) async throws -> Reply {
        guard let port = call.clientPort else { throw Problem(400, "The connection has no port.") }
        let connection = ClientConnection(port: port)
        let field = (call.header("Authorization") ?? "").split(separator: " ", maxSplits: 1)
        guard field.first?.lowercased() == "ntlm" else {
            guard let known = await demo.connections.next(on: connection) else {
                throw refusal("This route requires NTLM with \(demo.options.username) and \(demo.options.password).")
            }
            return reply(known)
        }
        guard field.count == 2, let bytes = Data(base64Encoded: String(field[1])).map(Array.init), let kind = NTLMMessage.kind(of: bytes) else {
            throw Problem(400, "The NTLM message is not one in base64.")
        }
        switch kind {
        case .negotiate(let flags):
            let challenge = (0..<8).map { _ in UInt8.random(in: 0...255) }
            await demo.connections.challenge(connection, challenge)
            let message = NTLMMessage.challenge(challenge, to: flags, from: demo.options.ntlmDomain)
            throw refusal("The challenge is in WWW-Authenticate.", message: message)
        case .authenticate:
            // A challenge is used once.
            guard let challenge = await demo.connections.takeChallenge(of: connection) else {
                throw refusal("This connection has no challenge; the first message must be sent on the same connection.")
            }
            guard let response = NTLMResponse(bytes) else { throw Problem(400, "The NTLM message is incomplete.") }
            guard response.isVersion2 else { throw refusal("The response is one of NTLMv1, which is not secure.") }
            guard response.user.lowercased() == demo.options.username, response.isValid(for: challenge, hash: demo.options.ntlmHash) else {
                throw refusal("The user name or the password is wrong.")
            }
            return reply(await demo.connections.authenticate(connection, user: response.user, domain: response.domain))
        }
    }

    private func reply(_ known: AuthenticatedConnections.Account) -> Reply {
        .envelope([
            "authenticated": true, "scheme": "NTLM", "username": .string(known.user), "domain": .string(known.domain),
            "requestOfConnection": .integer(known.requests),
        ])
    }

    private func refusal(_ text: String, message: [UInt8]? = nil) -> Problem {
        let challenge = message.map { "NTLM \(Data($0).base64EncodedString())" } ?? "NTLM"
        return Problem(401, text, headers: [("WWW-Authenticate", challenge)])
    }
}
