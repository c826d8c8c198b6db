internal import Foundation
internal import SortieBase
internal import SortieStorage
internal import SortieWorkbench

/// The user's editor, which has the terminal while it runs.
enum Editor {
    /// The largest text that is taken from the editor, in bytes.
    private static let largest = 256 << 20

    /// Edits a text in a private file, which is removed afterwards.
    ///
    /// - Parameter command: The editor of the settings; nil for `$VISUAL`, `$EDITOR` or `vi`.
    static func edit(text: String, suffix: String, command: String? = nil, in program: ProgramContext) -> EditOutcome {
        let folder = program.temporaryFolder
        var path = Array("\(folder)/sortie-XXXXXX\(suffix)".utf8CString)
        let descriptor = mkstemps(&path, Int32(suffix.utf8.count))
        guard descriptor >= 0 else { return .failed("a file for the editor cannot be created in \(folder)") }
        let name = String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var isKept = false
        defer { if !isKept { unlink(name) } }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: Data(text.utf8))
            try file.close()
        } catch { return .failed("the file for the editor cannot be written: \(error.systemReason)") }
        if let failure = run(command, on: name, at: nil, in: program) { return .failed(failure) }
        do throws(WholeFile.Failure) {
            let bytes = try WholeFile.bytes(at: name, limit: largest)
            if let text = String(validating: bytes, as: UTF8.self) { return .text(text) }
            isKept = true
            return .failed("the text that the editor saved is not UTF-8; it is in \(name)")
        } catch {
            isKept = true
            return .failed("\(name), which the editor saved: \(error.reason)")
        }
    }

    /// Opens a file of the workspace at a position.
    static func open(_ place: SourceLocation, in folder: String, command: String? = nil, program: ProgramContext) -> EditOutcome {
        let path = FilePath.isAbsolute(place.file) ? place.file : "\(folder)/\(place.file)"
        if let failure = run(command, on: path, at: place, in: program) { return .failed(failure) }
        return .closed
    }

    /// Opens a file at its start.
    static func open(file: String, command: String?, in program: ProgramContext) -> EditOutcome {
        run(command, on: file, at: nil, in: program).map { .failed($0) } ?? .closed
    }

    /// Runs the editor until it exits.
    ///
    /// Returns the reason of a failure.
    private static func run(_ command: String?, on path: String, at place: SourceLocation?, in program: ProgramContext) -> String? {
        let environment = program.environment
        let editor = [command, environment["VISUAL"], environment["EDITOR"]].compactMap { $0 }.first { !$0.isEmpty } ?? "vi"
        // The variable may contain arguments, so a shell splits it; the path is a separate word.
        let arguments = place.map { EditorPlace(ofEditor: editor).arguments(line: $0.line, column: $0.column) } ?? "\"$1\""
        let status = ForegroundProcess.run("exec \(editor) \(arguments)", [path], in: program)
        guard status == 0 else { return "the editor “\(editor)” ended with status \(status); set EDITOR, or editor: in the settings, to another" }
        return nil
    }
}

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
