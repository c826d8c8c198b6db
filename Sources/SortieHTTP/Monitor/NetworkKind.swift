/// The kind of a network interface (S3.1).
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
