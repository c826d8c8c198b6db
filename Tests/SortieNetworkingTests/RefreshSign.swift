import Support

@testable import SortieNetworking

/// A token refresh that waits for its gate and counts its calls: the first token is `t1`.
final class RefreshSign: Sendable {
    struct State: Sendable {
        var starts = 0
        var cancellations = 0
        var error: NetworkError?
        var expired: [NetworkError] = []
    }

    /// Opens the gate of every refresh.
    final class Door: Sendable {
        private let isOpen = Watched(false)

        func open() { isOpen.change { $0 = true } }
        func pass() async throws { try await isOpen.wait("the gate to open", within: .seconds(300)) { $0 ? () : nil } }
    }

    let gate = Door()
    private let state = Watched(State())

    var starts: Int { state.current.starts }
    var cancellations: Int { state.current.cancellations }
    var expired: [NetworkError] { state.current.expired }

    func fail(with error: NetworkError?) { state.change { $0.error = error } }
    func note(_ error: NetworkError) { state.change { $0.expired.append(error) } }

    func waitForStart() async throws {
        try await state.wait("a refresh to begin", within: .seconds(300)) { $0.starts > 0 ? () : nil }
    }

    func refresh() async throws -> Credential.Token {
        let number = state.change { state in
            state.starts += 1
            return state.starts
        }
        do {
            try await gate.pass()
        } catch {
            state.change { $0.cancellations += 1 }
            throw error
        }
        if let error = state.current.error { throw error }
        return Credential.Token("t\(number)")
    }
}
