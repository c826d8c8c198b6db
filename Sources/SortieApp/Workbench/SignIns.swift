internal import FoundationEssentials
internal import SortieNetworking
internal import SortieWorkbench
internal import Synchronization

/// The pending sign-ins for access tokens, which the workbench displays.
final class SignIns: OAuth2SignInPresenter {
    private let mailbox: Mailbox
    private let pending = Mutex<[Int: OAuth2SignIn]>([:])

    init(mailbox: Mailbox) {
        self.mailbox = mailbox
    }

    func begin(_ signIn: OAuth2SignIn) {
        pending.withLock { $0[signIn.id] = signIn }
        mailbox.post(
            .signInBegan(
                PendingSignIn(
                    id: signIn.id, client: signIn.settings.clientID, plainPage: signIn.plainPage.description, page: signIn.page.description,
                    code: signIn.code,
                    minutes: signIn.expiresAt.timeIntervalSinceNow.minutes)))
    }

    func end(_ signIn: OAuth2SignIn) {
        pending.withLock { $0[signIn.id] = nil }
        mailbox.post(.signInEnded(signIn.id))
    }

    /// Ends a sign-in at the request of the user.
    func cancel(_ id: Int) {
        pending.withLock { $0[id] }?.cancel()
    }
}

extension Double {
    /// These seconds as minutes; 0 only for less than one.
    fileprivate var minutes: Int { self < 59 ? 0 : Int((self / 60).rounded()) }
}
