/// The version of the library and of the program.
public enum NetworkingVersion {
    /// As `--version` and `User-Agent` give it.
    public static let current = "0.1.0"
}
