/// The version of the library and of the program.
package enum NetworkingVersion {
    /// As `--version` and `User-Agent` give it.
    package static let current = "0.1.0"
}
