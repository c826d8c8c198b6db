internal import Foundation
internal import SortieNetworking
internal import Subprocess
internal import Synchronization
internal import SystemPackage

/// Kills the process groups of programs when this program ends, however that happens, also by SIGKILL.
///
/// One shell in its own session reads the groups from a pipe. The kernel closes the pipe when this program ends.
final class GroupSupervisor: Sendable {
    static let shared = GroupSupervisor()

    /// The writing end of the pipe; nil before the first use, and -1 where it could not be created.
    private let pipe = Mutex<Int32?>(nil)

    /// Kills the groups that were added and not removed when standard input ends.
    private static let script = """
        trap '' HUP INT TERM
        groups=' '
        while read -r word group; do
            case $word in
            add) groups="$groups$group " ;;
            remove) case $groups in *" $group "*) groups="${groups%% "$group" *} ${groups#* "$group" }" ;; esac ;;
            esac
        done
        for group in $groups; do kill -KILL "-$group"; done
        """

    /// Adds a group; it is killed at the end of this program.
    func add(_ group: pid_t) { write("add \(group)\n") }

    /// Removes a group, before its ID can be used again.
    func remove(_ group: pid_t) { write("remove \(group)\n") }

    private func write(_ line: String) {
        pipe.withLock { pipe in
            let descriptor = pipe ?? start()
            pipe = descriptor
            guard descriptor >= 0 else { return }
            // A line is shorter than PIPE_BUF and is written completely. A shell that was killed protects nothing any more.
            _ = Array(line.utf8).withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        }
    }

    /// Starts the shell, and returns the writing end of its input.
    private func start() -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, Int32(O_CLOEXEC)) == 0 else { return -1 }
        // A shell that does not read must not block this program.
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        let input = FileDescriptor(rawValue: ends[0])
        Task(executorPreference: BlockingExecutor.shared) {
            var options = PlatformOptions()
            options.createSession = true
            do {
                _ = try await Subprocess.run(
                    .path("/bin/sh"), arguments: ["-c", Self.script], platformOptions: options,
                    input: .fileDescriptor(input, closeAfterSpawningProcess: true), output: .discarded, error: .discarded)
            } catch {
                // Programs run without it, and end with this program where that ends regularly.
            }
        }
        return ends[1]
    }
}
