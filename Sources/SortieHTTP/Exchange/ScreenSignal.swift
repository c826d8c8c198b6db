/// A request of a plugin to the user interface; a program without a screen ignores it.
public enum ScreenSignal: Hashable, Sendable {
    /// The call started or ended.
    case loading(Bool)
    /// A message to show for a short time.
    case toast(String)
    /// The login has expired and the user must sign in again; the text contains the reason.
    case authExpired(String)
}
