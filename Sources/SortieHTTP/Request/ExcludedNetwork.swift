/// A kind of networks, or an interface, over which a request is not sent.
public enum ExcludedNetwork: Hashable, Sendable {
    /// Mobile networks.
    case cellular
    /// Networks that charge by volume, as far as the kernel reports it: mobile networks, and phones that share theirs over USB or Bluetooth.
    ///
    /// A Wi-Fi network of a phone looks like any other one; name its interface.
    case metered
    /// An interface by its name, such as `wlan0`.
    case interface(String)

    /// Reads `cellular`, `metered`, or the name of an interface.
    package init(text: String) {
        self =
            switch text {
            case "cellular": .cellular
            case "metered": .metered
            default: .interface(text)
            }
    }

    /// The text that ``init(text:)`` reads.
    package var text: String {
        switch self {
        case .cellular: "cellular"
        case .metered: "metered"
        case .interface(let name): name
        }
    }
}
