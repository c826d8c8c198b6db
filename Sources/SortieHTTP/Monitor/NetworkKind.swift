/// The kind of a network interface.
public enum NetworkKind: String, Hashable, Sendable, CaseIterable {
    /// Ethernet and other cables.
    case wired
    /// Wi-Fi.
    case wireless
    /// A mobile network.
    case cellular
    /// A tunnel, a bridge, or another interface without its own device.
    case other
}
