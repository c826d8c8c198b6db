import Foundation

/// What a process uses, as the system counts it (proc(5)).
public enum ProcessUsage {
    /// A line of `/proc/PID/status` is missing.
    public struct Missing: Error {
        let name: String
    }

    /// A size of `/proc/PID/status` in bytes, such as `VmHWM` for the peak of the resident memory, or `RssAnon` for what is no part of a file; nil is this process.
    public static func memory(_ name: String, of pid: Int32? = nil) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(pid.map { "\($0)" } ?? "self")/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        guard let kibibytes = line.flatMap({ Int($0.filter(\.isNumber)) }) else { throw Missing(name: name) }
        return kibibytes << 10
    }

    /// The number of open descriptors.
    public static func descriptors(of pid: Int32? = nil) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid.map { "\($0)" } ?? "self")/fd").count
    }
}
