/// What a plugin asks the screen to show; a program without a screen leaves it alone (S0.27, S3.3).
public enum ScreenSignal: Hashable, Sendable {
    /// The call began to run, or is over.
    case loading(Bool)
    /// A sentence that may be shown for a moment.
    case toast(String)
    /// The login has run out: the person must sign in again; the text says why.
    case authExpired(String)
}
