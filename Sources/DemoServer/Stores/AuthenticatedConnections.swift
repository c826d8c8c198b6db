/// The state of NTLM of each connection: a challenge, or the user that it authenticated.
actor AuthenticatedConnections {
    /// The user of a connection.
    struct Account: Sendable {
        let user: String
        let domain: String
        /// The number of accepted requests, from 1.
        var requests = 1
    }

    private enum State {
        case challenged([UInt8])
        case authenticated(Account)
    }

    /// The maximum number of connections; beyond it all are dropped.
    private static let limit = 1000

    /// By the port of the client, which one open connection has.
    private var states: [UInt16: (connection: ClientConnection, state: State)] = [:]

    /// Sets the challenge of a connection, which is not authenticated any more.
    func challenge(_ connection: ClientConnection, _ challenge: [UInt8]) { set(.challenged(challenge), of: connection) }

    /// The challenge of a connection, which is forgotten; nil without one.
    func takeChallenge(of connection: ClientConnection) -> [UInt8]? {
        guard case .challenged(let challenge)? = state(of: connection) else { return nil }
        states[connection.port] = nil
        return challenge
    }

    /// Sets the user of a connection.
    func authenticate(_ connection: ClientConnection, user: String, domain: String) -> Account {
        let account = Account(user: user, domain: domain)
        set(.authenticated(account), of: connection)
        return account
    }

    /// Counts a request without credentials; nil when the connection is not authenticated.
    func next(on connection: ClientConnection) -> Account? {
        guard case .authenticated(var account)? = state(of: connection) else { return nil }
        account.requests += 1
        set(.authenticated(account), of: connection)
        return account
    }

    private func state(of connection: ClientConnection) -> State? {
        guard let known = states[connection.port], known.connection.isSame(as: connection) else { return nil }
        return known.state
    }

    private func set(_ state: State, of connection: ClientConnection) {
        if states.count >= Self.limit { states = [:] }
        states[connection.port] = (connection, state)
    }
}
