internal import CLinux
internal import Foundation

/// A program that uses the terminal until it ends.
enum ForegroundProcess {
    /// Runs a program that inherits the terminal and no other descriptors.
    ///
    /// Returns its exit status; 127 when it cannot be started.
    static func run(_ path: String, _ arguments: [String]) -> Int32 {
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        let status = clinux_run_in_foreground(path, &words)
        return status < 0 ? 127 : status
    }
}
