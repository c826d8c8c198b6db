internal import Glibc

/// Reads variables of the process's environment one at a time; Foundation copies the whole environment for each.
enum EnvironmentVariable {
    /// The value of a variable; nil where it is not set.
    static func value(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
