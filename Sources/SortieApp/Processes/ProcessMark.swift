internal import CLinux
internal import Foundation
internal import Synchronization

/// A mark in the environment of a program by which its processes are found, also those that have left its session (`setsid`) and whose parents have
/// ended.
///
/// Processes inherit it. One whose environment was replaced or overwritten, and one of another user, is not found.
struct ProcessMark: Sendable {
    /// The environment variable with the mark, after those of programs around this one.
    static let variable = "SORTIE_HOOK"
    /// The beginning of all marks of this program.
    static let prefix = (0..<4).map { _ in String(UInt32.random(in: .min ... .max), radix: 16) }.joined() + "."

    private static let last = Atomic(0)
    private let text = "\(prefix)\(last.add(1, ordering: .relaxed).newValue)."

    /// The value of the variable for a program that is started by a program with this environment.
    func value(in environment: [String: String]) -> String { (environment[Self.variable].map { $0 + "," } ?? "") + text }

    /// Kills the processes with the mark that were started after a process.
    func killProcesses(startedAfter first: pid_t) {
        var rounds = 0
        // A process may start another one and end while the list is read, so the list is read until two rounds find no process.
        for _ in 0..<20 where rounds < 2 { rounds = killOnce(startedAfter: first) ? 0 : rounds + 1 }
    }

    /// Reads the list of all processes once, and kills those with the mark; returns whether there was one.
    private func killOnce(startedAfter first: pid_t) -> Bool {
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: "/proc") } catch { return false }
        let last = Self.lastProcess
        let mark = Data(text.utf8)
        var hasKilled = false
        for process in names.compactMap({ pid_t($0) }) {
            // IDs are assigned in ascending order, and from the first one again after the largest.
            if let last, last >= first, process <= first || process > last { continue }
            // The descriptor names the process also where its ID is used again.
            let descriptor = clinux_open_process(process)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            // Nil for a process of another user, empty for one that has ended.
            guard let environment = FileManager.default.contents(atPath: "/proc/\(process)/environ"), environment.range(of: mark) != nil else {
                continue
            }
            if clinux_signal_process(descriptor, SIGKILL) == 0 { hasKilled = true }
        }
        return hasKilled
    }

    /// The ID of the process that was started last (`proc_loadavg(5)`); nil where it is not known.
    private static var lastProcess: pid_t? {
        guard let data = FileManager.default.contents(atPath: "/proc/loadavg") else { return nil }
        return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isWhitespace).last.flatMap { pid_t($0) }
    }
}
