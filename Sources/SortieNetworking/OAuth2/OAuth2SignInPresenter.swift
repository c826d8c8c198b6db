/// Shows users what they must do for an access token (`ClientConfiguration.signIn`).
///
/// The functions are called from any thread and must not block.
public protocol OAuth2SignInPresenter: Sendable {
    /// Shows a sign-in; called once for each, also where many requests wait for it.
    func begin(_ signIn: OAuth2SignIn)

    /// Removes a sign-in: it has ended with a token, with an error, or was cancelled.
    func end(_ signIn: OAuth2SignIn)
}
