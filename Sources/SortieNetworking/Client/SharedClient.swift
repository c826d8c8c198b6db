public import SortieHTTP
internal import Synchronization

/// Holds the client that a program shares; it is created at its first use.
final class SharedClient: Sendable {
    private struct State {
        var configuration = ClientConfiguration()
        var client: Client?
    }

    static let process = SharedClient()

    private let state = Mutex(State())

    var client: Client {
        state.withLock { state in
            if let client = state.client { return client }
            let client = Client(state.configuration)
            state.client = client
            return client
        }
    }

    func configure(_ configuration: ClientConfiguration) throws(NetworkError) {
        let isTooLate = state.withLock { state in
            if state.client == nil { state.configuration = configuration }
            return state.client != nil
        }
        if isTooLate {
            throw NetworkError(
                .invalidOption, "the shared client is already in use", hint: "configure it at the start of the program, before its first use")
        }
    }
}

extension Client {
    /// The client of programs that create none, with the configuration of ``configureShared(_:)``.
    public static var shared: Client { SharedClient.process.client }

    /// Sets the configuration of ``shared``, at the start of the program.
    ///
    /// - Throws: `invalidOption` after the first use of ``shared``.
    public static func configureShared(_ configuration: ClientConfiguration) throws(NetworkError) {
        try SharedClient.process.configure(configuration)
    }
}
