internal import Model

/// How an editor is given a place in a file.
enum EditorPlace: Hashable {
    /// `+LINE`, which POSIX has for `ex` and `vi`, and most other editors took over.
    case line
    /// `+LINE,COLUMN`: nano.
    case lineAndColumn(separator: String)
    /// `FILE:LINE:COLUMN`, behind an option where the editor needs one.
    case suffix(option: String)

    /// The way of the editor that a command line begins with.
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

    /// The rest of a line of shell behind the editor's command; `$1` is the file.
    func arguments(line: Int, column: Int) -> String {
        switch self {
        case .line: "+\(line) \"$1\""
        case .lineAndColumn(let separator): "+\(line)\(separator)\(column) \"$1\""
        case .suffix(let option): "\(option)\"$1\":\(line):\(column)"
        }
    }
}
