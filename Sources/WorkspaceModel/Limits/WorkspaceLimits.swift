internal import SortieBase

/// The largest sizes that a workspace may have, in one place: each one is enforced where it is named, and its error message contains the number.
///
/// A workspace is written by others, so none of them may make the program slow, exhaust its memory or overflow its stack.
public enum WorkspaceLimits {
    // MARK: Files

    /// The most bytes of one YAML file.
    public static let fileBytes = 4 << 20
    /// The most bytes of all YAML files together.
    public static let totalBytes = 256 << 20
    /// The most YAML files.
    public static let files = 20_000
    /// The most directory entries that are looked at, YAML files or not.
    public static let directoryEntries = 200_000
    /// How deep directories may nest.
    public static let directoryDepth = 16
    /// How deep collections of a YAML file may nest.
    public static let yamlDepth = 100
    /// The most values of a YAML file after its aliases are replaced.
    public static let yamlValues = 250_000
    /// The most bytes of a file with rows of data.
    public static let dataFileBytes = 64 << 20
    /// The most values, rows times columns, of a file with rows of data.
    public static let dataValues = 5_000_000
    /// The most environments: what endpoints ask for is found for each of them.
    public static let environments = 100
    /// The most variables of `workspace.yaml` and its environments together.
    public static let variables = 5_000

    // MARK: Templates

    /// The most bytes that the templates of one request may insert.
    public static let templateBytes = 16 << 20
    /// The most references that the templates of one request may follow.
    public static let templateReferences = 10_000
    /// How deep variables may refer to variables.
    public static let templateDepth = 64

    // MARK: Patterns and paths

    /// The most instructions of one regular expression, counted repetitions written out.
    public static let patternInstructions = TextPattern.maximumInstructions
    /// The most steps of the regular expressions that one response is compared with.
    public static let patternSteps = TextPattern.maximumSteps
    /// The most values that one JSON path may visit after its first `..`.
    public static let pathValues = JSONPath.maximumValues
}
