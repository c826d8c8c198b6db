/// What differs between two bodies: lines in the order of a unified diff, stretches without a difference folded.
public struct BodyComparison: Hashable, Sendable {
    /// How they were compared.
    public enum Form: String, Hashable, Sendable, CaseIterable {
        /// As values: the order of keys, blanks and the spelling of numbers and strings make no difference.
        case json
        /// Line by line; how a line ends is told in the notes.
        case text
        /// Byte by byte.
        case bytes
        /// By their sizes, because one of them is not there.
        case size
    }

    /// One line.
    public struct Line: Hashable, Sendable {
        /// What it is.
        public enum Kind: Hashable, Sendable {
            /// In both.
            case same
            /// Only on the left.
            case removed
            /// Only on the right.
            case added
            /// In both or in one, and not looked at because a rule says so.
            case ignored
            /// So many lines that are in both and not shown.
            case folded(Int)
        }

        /// What it is.
        public var kind: Kind
        /// The text with its indentation, empty for a folded stretch; control characters may be in it, as they came.
        public var text: String
        /// Where in the JSON value; of an item that was moved by others, where it is on its own side.
        public var path: JSONPath?
        /// The number of the line on the left, from 1; nil for JSON and where it is not there.
        public var leftNumber: Int?
        /// The number of the line on the right, from 1; nil for JSON and where it is not there.
        public var rightNumber: Int?

        /// A line.
        public init(_ kind: Kind, _ text: String = "", path: JSONPath? = nil, leftNumber: Int? = nil, rightNumber: Int? = nil) {
            self.kind = kind
            self.text = text
            self.path = path
            self.leftNumber = leftNumber
            self.rightNumber = rightNumber
        }
    }

    /// One place of a JSON value that differs.
    public struct Change: Hashable, Sendable {
        /// Where; of an item that was moved by others, where it is on the left, or on the right when it is only there.
        public var path: JSONPath
        /// What is there on the left; nil where nothing is.
        public var left: JSONValue?
        /// What is there on the right; nil where nothing is.
        public var right: JSONValue?

        /// A place that differs.
        public init(path: JSONPath, left: JSONValue?, right: JSONValue?) {
            self.path = path
            self.left = left
            self.right = right
        }
    }

    /// How they were compared.
    public var form: Form
    /// Whether they are known to differ, but for what the rules ignore.
    public var isDifferent: Bool
    /// Whether it cannot be told if they differ, because one of them is not there; then they are neither equal nor known to differ.
    public var isUnknown: Bool
    /// The lines of the diff; empty where nothing differs, and where the notes say all.
    public var lines: [Line]
    /// The places that differ, in the order of the left; only for JSON, and no more than ``changeLimit``.
    public var changes: [Change]
    /// How many lines were removed.
    public var removedCount: Int
    /// How many lines were added.
    public var addedCount: Int
    /// What a person should know beside the lines, in sentences: a body that was not kept, other line ends, where the rest is.
    public var notes: [String]

    /// The most places that are listed.
    public static let changeLimit = 1000
    /// The most lines of a diff; of more differences only the number is told.
    public static let lineLimit = 20_000
    /// How many lines without a difference stand before and after one.
    public static let context = 3

    /// A comparison without a difference, unless something else is said.
    public init(_ form: Form, isDifferent: Bool = false, isUnknown: Bool = false, lines: [Line] = [], notes: [String] = []) {
        self.form = form
        self.isDifferent = isDifferent
        self.isUnknown = isUnknown
        self.lines = lines
        changes = []
        removedCount = 0
        addedCount = 0
        self.notes = notes
    }
}
