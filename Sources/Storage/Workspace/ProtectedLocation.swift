internal import Foundation
internal import SortieBase

/// A location that commands read or write only with `--force` (`Security.md` 6).
///
/// Files in these locations start programs, belong to the system, or are not regular files. A path from a workspace, a copied command line or a
/// link must not lead there by accident.
package struct ProtectedLocation: Hashable, Sendable {
    /// The use of a path.
    package enum Access: Hashable, Sendable {
        /// The bytes are read, and usually sent.
        case reading
        /// A file is created, replaced or appended to.
        case writing
    }

    /// The path as specified.
    package let path: String
    /// The path with all symbolic links resolved.
    package let real: String
    /// The use of the path.
    package let access: Access
    /// The reason for the protection: “it is in a .git folder, whose files git executes and trusts”.
    package let reason: String

    /// The protected location of a path; nil for a path that does not require `--force`.
    ///
    /// Links are resolved through the file system; no file is opened.
    ///
    /// - Parameters:
    ///   - path: a path, relative to the current folder unless it is absolute; `~/` is the home folder.
    ///   - folders: the folders of the user.
    ///   - folder: the folder of a workspace that the user opened; its parent folders do not make its files protected.
    package init?(_ path: String, _ access: Access, _ folders: UserFolders, within folder: String? = nil) {
        guard !Self.isStream(path) else { return nil }
        self.init(path, real: RealPath.of(folders.absolute(path)), access, folders, within: folder.map { RealPath.of($0) })
    }

    /// The protected location of a path that is resolved, as is the folder.
    init?(_ path: String, real: String, _ access: Access, _ folders: UserFolders, within folder: String?) {
        guard let reason = Self.reason(real, access, home: RealPath.of(folders.home), within: folder) else { return nil }
        (self.path, self.real, self.access, self.reason) = (path, real, access, reason)
        place = FilePath.normalized(folders.expanding(path)) == real ? path : "\(path) leads to \(real)"
    }

    /// The description: “/etc/hosts: it is in /etc, where the system keeps its settings”, with the target of a link.
    package var message: String { "\(place): \(reason)" }

    /// The description for one line of a screen that may be truncated: the reason, then the path.
    package var shortMessage: String { "\(reason.prefix(1).uppercased())\(reason.dropFirst()): \(place)" }

    /// The path, with the target of a link.
    private let place: String

    /// Whether a path names a stream of the process and not a file; streams are always permitted.
    static func isStream(_ path: String) -> Bool {
        path == "-" || path == "/dev/null" || streamNumber(path) != nil
    }

    /// The descriptor of this process that an absolute path leads to: `/dev/stdout`, `/dev/fd/3`, or a link to one of them.
    ///
    /// The file behind such a path must not be replaced: who gave the descriptor would still have the old file.
    package static func descriptor(of path: String) -> Int32? {
        var path = path
        for _ in 0..<40 {
            if let number = streamNumber(path) { return number }
            guard let target = RealPath.target(ofLink: path) else { return nil }
            path = FilePath.joining(FilePath.folder(of: path), target)
        }
        return nil
    }

    private static func streamNumber(_ path: String) -> Int32? {
        if let number = ["/dev/stdin", "/dev/stdout", "/dev/stderr"].firstIndex(of: path) { return Int32(number) }
        for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
            let digits = path.dropFirst(folder.count)
            if digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int32(digits) { return number }
        }
        return nil
    }

    /// Devices that keep nothing of what is written to them.
    private static let harmlessDevices: Set<String> = ["/dev/full", "/dev/zero", "/dev/tty"]

    /// The reason why a resolved path is protected; nil for one that is not.
    ///
    /// - Parameters:
    ///   - home: the resolved path of the home folder.
    ///   - folder: the resolved path of the workspace's folder.
    static func reason(_ real: String, _ access: Access, home: @autoclosure () -> String, within folder: String? = nil) -> String? {
        // A link to the device is permitted like the device itself.
        if real == "/dev/null" || access == .writing && harmlessDevices.contains(real) { return nil }
        let components = FilePath.components(of: real).map(String.init)
        let first = components.first ?? ""
        switch first {
        case "proc": return "it is in /proc, which shows the memory and the settings of programs"
        case "sys": return "it is in /sys, which controls the system's devices"
        // Shared memory, which programs use as a folder for temporary files.
        case "dev" where components.count > 2 && components[1] == "shm": break
        case "dev": return "it is in /dev, where files are devices"
        default: break
        }
        guard access == .writing else { return nil }
        // Git accepts any case of the name on case-insensitive file systems.
        if components.contains(where: { $0.lowercased() == ".git" }) { return "it is in a .git folder, whose settings and hooks run programs" }
        if let folder, FilePath.isIn(folder, real) { return nil }
        if first == "etc" { return "it is in /etc, which contains the settings of the system" }
        let home = home()
        guard home != "/", FilePath.isIn(home, real), real != home else { return nil }
        let below = FilePath.components(of: String(real.utf8.dropFirst(home.utf8.count)) ?? "")
        guard let name = below.first, name.utf8.first == UInt8(ascii: ".") else { return nil }
        return "it is \(below.count > 1 ? "in ~/\(name)" : "a dot file of the home folder"), which can contain settings and keys of programs"
    }
}
