public import SortieNetworking

/// A request of a plugin to the user interface; a program without a screen ignores it.
public enum ScreenSignal: Hashable, Sendable {
    /// The call started or ended.
    case loading(Bool)
    /// A message to show for a short time.
    case toast(String)
    /// The login has expired and the user must sign in again; the text contains the reason.
    case authExpired(String)

    init(_ signal: UserSignal) {
        switch signal {
        case .loading(let isLoading): self = .loading(isLoading)
        case .toast(let text): self = .toast(text)
        case .authExpired(let reason): self = .authExpired(reason)
        }
    }
}

extension CallEvent {
    /// The signal of a plugin; nil for another event.
    public var signal: ScreenSignal? {
        guard case .reported(let report) = self, let signal = report.signal else { return nil }
        return ScreenSignal(signal)
    }
}

extension PluginContext {
    /// Requests that the user interface shows something.
    public func signal(_ signal: ScreenSignal) {
        switch signal {
        case .loading(let isLoading): self.signal(UserSignal.loading(isLoading))
        case .toast(let text): self.signal(UserSignal.toast(text))
        case .authExpired(let reason): self.signal(UserSignal.authExpired(reason))
        }
    }
}
