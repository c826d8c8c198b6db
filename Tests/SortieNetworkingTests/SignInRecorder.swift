import Dispatch
import SortieHTTP
import Support

@testable import SortieNetworking

/// Records sign-ins, and opens their pages as a browser does.
final class SignInRecorder: OAuth2SignInPresenter {
    let begun = Watched<[OAuth2SignIn]>([])
    let ended = Watched<[Int]>([])
    private let opens: @Sendable (OAuth2SignIn) async throws -> Void

    /// - Parameter opens: What the user does.
    init(_ opens: @escaping @Sendable (OAuth2SignIn) async throws -> Void = { _ in }) { self.opens = opens }

    /// A browser that opens the page and follows its redirects.
    static func browser(_ caller: Caller, adding query: String = "") -> SignInRecorder {
        SignInRecorder { signIn in _ = try await caller.exchange(.to(signIn.page.description + query)) }
    }

    func begin(_ signIn: OAuth2SignIn) {
        begun.change { $0.append(signIn) }
        Task { [opens] in
            do { try await opens(signIn) } catch { signIn.cancel() }
        }
    }

    func end(_ signIn: OAuth2SignIn) { ended.change { $0.append(signIn.id) } }

    /// Waits for a sign-in.
    func first() async throws -> OAuth2SignIn { try await begun.wait("a sign-in", within: .seconds(300)) { $0.first } }
}

/// An archive in memory.
final class TokenMemory: OAuth2TokenArchive {
    let tokens = Watched<[OAuth2TokenKey: OAuth2Token]>([:])
    /// The error of every change; nil for none.
    let problem: NetworkError?

    private let renewal = DispatchSemaphore(value: 1)

    init(problem: NetworkError? = nil) { self.problem = problem }

    private final class Held: Sendable {
        let renewal: DispatchSemaphore

        init(_ renewal: DispatchSemaphore) { self.renewal = renewal }

        deinit { renewal.signal() }
    }

    func lock(for key: OAuth2TokenKey) -> (any Sendable)? {
        renewal.wait()
        return Held(renewal)
    }

    func token(for key: OAuth2TokenKey) throws -> OAuth2Token? { tokens.current[key] }

    func store(_ token: OAuth2Token?, for key: OAuth2TokenKey) throws {
        if let problem { throw problem }
        tokens.change { $0[key] = token }
    }
}
