internal import SortieBase
public import SortieHTTP

public import struct FoundationEssentials.Date

/// What a user must do for an access token, while the requests that need it wait.
public struct OAuth2SignIn: Sendable, Identifiable {
    /// What the user must do.
    public enum Step: Hashable, Sendable {
        /// Open a page in a browser on this machine, sign in, and give the permission; the browser then opens a page of this process (RFC 8252 §7.3).
        case browser(page: HTTPURL)
        /// Open a page in a browser on any machine and enter the code (RFC 8628 §3.3).
        ///
        /// `pageWithCode` is a page that already contains the code, where the server has one.
        case code(String, page: HTTPURL, pageWithCode: HTTPURL?)
    }

    /// The number of the sign-in, unique in this process.
    public let id: Int
    /// What the user must do.
    public let step: Step
    /// The settings for which a token is needed.
    public let settings: OAuth2
    /// The time at which the sign-in ends without a token.
    public let expiresAt: Date

    private let onCancel: @Sendable () -> Void

    init(id: Int, step: Step, settings: OAuth2, expiresAt: Date, onCancel: @escaping @Sendable () -> Void) {
        (self.id, self.step, self.settings, self.expiresAt, self.onCancel) = (id, step, settings, expiresAt, onCancel)
    }

    /// Ends the sign-in, whose requests then fail with `cancelled`.
    ///
    /// It has no effect after the end.
    public func cancel() { onCancel() }

    /// The page to open: the one with the code, where there is one.
    public var page: HTTPURL {
        switch step {
        case .browser(let page): page
        case .code(_, let page, let pageWithCode): pageWithCode ?? page
        }
    }

    /// The page without the code.
    public var plainPage: HTTPURL {
        switch step {
        case .browser(let page): page
        case .code(_, let page, _): page
        }
    }

    /// The code to enter; nil where none is needed.
    public var code: String? {
        switch step {
        case .browser: nil
        case .code(let code, _, _): code
        }
    }
}

/// Shows users what they must do for an access token (`ClientConfiguration.signIn`).
///
/// The functions are called from any thread and must not block.
public protocol OAuth2SignInPresenter: Sendable {
    /// Shows a sign-in; called once for each, also where many requests wait for it.
    func begin(_ signIn: OAuth2SignIn)

    /// Removes a sign-in: it has ended with a token, with an error, or was cancelled.
    func end(_ signIn: OAuth2SignIn)
}

/// The proof that the program that redeems an authorization code is the one that requested it (PKCE, RFC 7636 §4).
struct ProofKey: Sendable {
    /// The secret, 43 characters.
    let verifier: String
    /// The digest of the secret, which the authorization request contains (`S256`).
    let challenge: String

    /// Creates a random key.
    init() {
        self.init(verifier: Self.random())
    }

    init(verifier: String) {
        self.verifier = verifier
        challenge = Base64.urlText(HashFunction.sha256.digest(of: verifier))
    }

    /// A text of 256 random bits that URLs contain unchanged.
    static func random() -> String {
        var source = SystemRandomNumberGenerator()
        return Base64.urlText((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &source) })
    }
}
