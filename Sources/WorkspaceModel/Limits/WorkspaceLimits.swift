internal import SortieBase

/// The limits of a workspace's size.
///
/// Each one is enforced where it is used, and its error message contains the number.
///
/// A workspace may come from an untrusted author, so no size may make the program slow, exhaust its memory or overflow its stack.
package enum WorkspaceLimits {
    // MARK: Files

    /// The maximum size of one YAML file in bytes.
    package static let fileBytes = 4 << 20
    /// The maximum size of all YAML files together in bytes.
    package static let totalBytes = 256 << 20
    /// The maximum number of YAML files.
    package static let files = 20_000
    /// The maximum number of directory entries that are examined, YAML files or not.
    package static let directoryEntries = 200_000
    /// The maximum depth of nested directories.
    package static let directoryDepth = 16
    /// The maximum depth of nested collections in a YAML file.
    package static let yamlDepth = 100
    /// The maximum number of values in a YAML file after its aliases are replaced.
    package static let yamlValues = 250_000
    /// The maximum size of a file with rows of data in bytes.
    package static let dataFileBytes = 64 << 20
    /// The maximum number of values, rows times columns, of a file with rows of data.
    package static let dataValues = 5_000_000
    /// The maximum number of repetitions of a step of a run.
    package static let repetitions = 10_000
    /// The maximum number of steps of a run with lists and rows of data.
    package static let runSteps = 1_000_000
    /// The maximum number of environments, because the capabilities of endpoints are computed for each of them.
    package static let environments = 100
    /// The maximum number of variables in `workspace.yaml` and its environments together.
    package static let variables = 5_000

    // MARK: Templates

    /// The maximum number of bytes that the templates of one request may insert.
    package static let templateBytes = 16 << 20
    /// The maximum number of references that the templates of one request may follow.
    package static let templateReferences = 10_000
    /// The maximum depth of variables that refer to variables.
    package static let templateDepth = 64

    /// The largest limit of the cached responses in bytes, which are also in memory.
    package static let cacheBytes = 1_000_000_000

    // MARK: Patterns and paths

    /// The maximum number of steps of the regular expressions for one response.
    package static let patternSteps = TextPattern.maximumSteps
}
