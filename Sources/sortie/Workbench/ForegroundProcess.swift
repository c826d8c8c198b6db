internal import CLinux
internal import Foundation

/// A program that has the terminal until it ends.
enum ForegroundProcess {
    /// Runs a program with our terminal and none of our other descriptors; returns its status, 127 when it cannot be started.
    static func run(_ path: String, _ arguments: [String]) -> Int32 {
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        let status = clinux_run_in_foreground(path, &words)
        return status < 0 ? 127 : status
    }
}
