internal import SortieBase

/// The way in which an editor takes a position in a file.
enum EditorPlace: Hashable {
    /// `+LINE`, which POSIX specifies for `ex` and `vi`, and most other editors accept.
    case line
    /// `+LINE,COLUMN` or `+LINE:COLUMN`.
    case lineAndColumn(separator: String)
    /// `FILE:LINE:COLUMN`, after an option if the editor needs one.
    case suffix(option: String)

    /// The way of the editor that a command line starts.
    init(ofEditor command: String) {
        let program = command.split(separator: " ").first.map { FilePath.name(of: String($0)) } ?? ""
        self =
            switch program {
            case "nano", "rnano", "pico": .lineAndColumn(separator: ",")
            case "emacs", "emacsclient", "micro", "kak", "jed": .lineAndColumn(separator: ":")
            case "code", "code-insiders", "code-oss", "codium", "vscodium", "cursor", "windsurf": .suffix(option: "-g ")
            case "hx", "helix", "subl", "zed": .suffix(option: "")
            default: .line
            }
    }

    /// The arguments in a shell command after the editor; `$1` is the file.
    func arguments(line: Int, column: Int) -> String {
        switch self {
        case .line: "+\(line) \"$1\""
        case .lineAndColumn(let separator): "+\(line)\(separator)\(column) \"$1\""
        case .suffix(let option): "\(option)\"$1\":\(line):\(column)"
        }
    }
}
