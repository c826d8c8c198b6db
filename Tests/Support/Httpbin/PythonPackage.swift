/// Packages from PyPI that `.ci/setup test` installs below `.build`.
public enum PythonPackage {
    /// Whether this machine has a package; for `@Test(.enabled(if:))`.
    public static func isAvailable(_ package: String) -> Bool { OthersPython.path(with: package) != nil }

    /// The interpreter with a package; nil where it is not installed.
    public static func python(with package: String) -> String? { OthersPython.path(with: package) }

    /// Runs Python with a package.
    public static func run(_ package: String, _ arguments: [String], environment: [String: String] = [:]) async throws -> ProcessRun {
        try await ProcessRun.run(OthersPython.path(with: package) ?? "python3", arguments, environment: environment, within: .seconds(300))
    }
}
