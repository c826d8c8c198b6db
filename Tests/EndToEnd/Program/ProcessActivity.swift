import Foundation

/// The activity of a process so far.
struct ProcessActivity {
    /// The number of times the main thread and the engine's thread went to sleep; unchanged means that nothing woke them.
    ///
    /// The threads of libdispatch are excluded, because its timer counts existing ones once a second.
    var sleeps: [String: Int] = [:]
    /// Processor time of all threads, in hundredths of a second.
    let ticks: Int

    init(of pid: Int32) throws {
        for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task") {
            // A thread may end during the enumeration.
            guard let name = try? String(contentsOfFile: "/proc/\(pid)/task/\(thread)/comm", encoding: .utf8),
                let text = try? String(contentsOfFile: "/proc/\(pid)/task/\(thread)/status", encoding: .utf8),
                thread == "\(pid)" || name == "sortie-engine\n"
            else { continue }
            let line = text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
            sleeps[thread] = line.flatMap { Int($0.split(separator: "\t").last ?? "") }
        }
        // After the name in parentheses: field 3 is the state, 14 and 15 are utime and stime (proc(5)).
        let stat = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
        ticks = (Int(fields[12]) ?? 0) + (Int(fields[13]) ?? 0)
    }

    /// Whether nothing woke a thread since an earlier state, and at most a hundredth of a second of processor time was used.
    func isIdle(since earlier: ProcessActivity) -> Bool { sleeps == earlier.sleeps && ticks - earlier.ticks <= 1 }
}
