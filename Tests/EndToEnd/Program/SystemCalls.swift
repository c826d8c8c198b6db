import Foundation
import Support

/// The system calls of a program and its child processes, as recorded by `strace -f -y`.
struct SystemCalls {
    /// The executed programs with their arguments, in order; the first one is the traced program.
    private(set) var programs: [String] = []
    /// The resolved paths of the opened files and directories.
    private(set) var opened: Set<String> = []
    /// The paths of files and directories that were opened for writing, created, renamed, removed or changed.
    private(set) var changed: Set<String> = []
    /// The paths that were watched for changes, as specified by the program.
    private(set) var watched: Set<String> = []
    /// The Internet addresses of connections and datagrams, such as `127.0.0.1:80`.
    private(set) var addresses: Set<String> = []

    /// The paths of calls that another thread interrupted in the trace, by the number of the process.
    private var interrupted: [Substring: [String]] = [:]

    /// The traced system calls.
    static let traced = "%file,connect,sendto,sendmsg,sendmmsg"

    /// Whether this machine has strace and permits tracing; for `.enabled(if:)`.
    static let areTraceable: Bool = {
        do {
            return try ProcessRun.runBlocking("/usr/bin/strace", ["-f", "-qq", "-o", "/dev/null", "/bin/true"]).succeeded
        } catch { return false }
    }()

    /// Parses the output file of strace.
    init(tracedTo path: String) throws {
        for line in String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self).split(separator: "\n") {
            read(line)
        }
    }

    private mutating func read(_ line: Substring) {
        // A call that is interrupted by another thread's call is split into two lines; the second one contains the result.
        let isOpening = line.contains(" open(") || line.contains(" openat(") || line.contains("<... open")
        if isOpening, let result = line.range(of: " = ", options: .backwards)?.upperBound,
            let start = line[result...].firstIndex(of: "<"), let end = line[start...].lastIndex(of: ">")
        {
            opened.insert(String(line[line.index(after: start)..<end]))
        }
        noteChange(line)
        if let call = line.firstRange(of: "execve("), !line.contains(" = -1 ") { programs.append(String(line[call.upperBound...])) }
        if line.contains("inotify_add_watch("), let path = Self.quoted(in: line) { watched.insert(path) }
        for family in ["sa_family=AF_INET, ", "sa_family=AF_INET6, "] {
            guard let start = line.firstRange(of: family)?.upperBound else { continue }
            let rest = line[start...]
            guard let port = rest.firstRange(of: "htons(").map({ rest[$0.upperBound...].prefix { $0.isNumber } }), port != "0",
                let address = Self.quoted(in: rest)
            else { continue }
            addresses.insert("\(address):\(port)")
        }
    }

    /// The beginnings of the names of system calls that change a file or a directory.
    private static let changing = [
        "mkdir", "mknod", "rename", "unlink", "rmdir", "symlink", "link", "chmod", "chown", "truncate", "utime", "setxattr",
    ]

    /// Notes the paths of a call that changes something and succeeds; those of an interrupted one wait for the line with its result.
    private mutating func noteChange(_ line: Substring) {
        let process = line.prefix { $0.isNumber }
        let call = line.dropFirst(process.count).drop { $0 == " " }
        var paths = interrupted.removeValue(forKey: process) ?? []
        if !call.hasPrefix("<") {
            let name = call.prefix { $0 != "(" }
            let changes = Self.changing.contains { name.hasPrefix($0) || name.hasPrefix("l" + $0) || name.hasPrefix("f" + $0) }
            let writes = name.hasPrefix("open") && ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"].contains { call.contains($0) }
            paths = changes || writes ? Self.paths(in: line) : []
        }
        if line.hasSuffix("<unfinished ...>") {
            interrupted[process] = paths
        } else if !line.contains(" = -1 ") {
            changed.formUnion(paths)
        }
    }

    /// The paths of a call; `-y` writes the path of a descriptor in angle brackets before the relative one.
    private static func paths(in line: Substring) -> [String] {
        line.matches(of: /(?:<([^>]*)>, )?"([^"]*)"/).map { match in
            match.2.hasPrefix("/") || match.1 == nil ? String(match.2) : "\(match.1 ?? "")/\(match.2)"
        }
    }

    private static func quoted(in text: Substring) -> String? {
        guard let start = text.firstIndex(of: "\"") else { return nil }
        let rest = text[text.index(after: start)...]
        return rest.firstIndex(of: "\"").map { String(rest[..<$0]) }
    }
}
