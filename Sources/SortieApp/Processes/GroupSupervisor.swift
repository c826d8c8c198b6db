internal import CLinux
internal import Foundation
internal import SortieNetworking
internal import Subprocess
internal import Synchronization
internal import SystemPackage

/// Kills the process groups of programs, and the processes with a ``ProcessMark``, when this program ends, including by SIGKILL.
///
/// One shell in its own session reads the groups from a socket. The kernel closes the other end when this program ends.
final class GroupSupervisor: Sendable {
    static let shared = GroupSupervisor()

    /// This end of the connection; nil before the first use, and -1 where there is none.
    private let connection = Mutex<Int32?>(nil)
    /// Opened when the shell runs, or cannot be started.
    private let started = Latch()

    /// Kills the groups that were added and not removed when standard input ends, and where there are any, the processes whose environment contains `$1`.
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
        [ "$groups" = ' ' ] && exit
        for pass in 1 2 3 4 5; do
            files=$(grep -lsF "$1" /proc/[0-9]*/environ)
            [ -n "$files" ] || break
            for file in $files; do file=${file#/proc/}; kill -KILL "${file%/environ}"; done
        done
        """

    /// Starts the shell, and waits until it runs.
    ///
    /// A program that is started after that is killed although this program ends a moment later.
    func prepare() async {
        connection.withLock { $0 = $0 ?? start() }
        await started.wait()
    }

    /// Adds a group; it is killed at the end of this program.
    func add(_ group: pid_t) { write("add \(group)\n") }

    /// Kills what a program has left running, which nothing would end after it, and removes the group; the program has ended and is not reaped yet, so that
    /// its ID is not used again.
    func end(_ group: pid_t) {
        if clinux_child_state(group) == 1 { _ = Foundation.kill(-group, SIGKILL) }
        write("remove \(group)\n")
    }

    private func write(_ line: String) {
        connection.withLock { connection in
            let descriptor = connection ?? start()
            connection = descriptor
            guard descriptor >= 0 else { return }
            // A shell that does not read must not block this program, and one that was killed must not end it.
            let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
            _ = Array(line.utf8).withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
        }
    }

    /// Starts the shell, and returns the other end of its input.
    private func start() -> Int32 {
        var ends: [Int32] = [-1, -1]
        // A pair of sockets, because Swift's Glibc module has no pipe2, and no other program may inherit this end.
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            started.open()
            return -1
        }
        let input = FileDescriptor(rawValue: ends[0])
        Task(executorPreference: BlockingExecutor.shared) { [started] in
            var options = PlatformOptions()
            options.createSession = true
            do {
                _ = try await Subprocess.run(
                    .path("/bin/sh"), arguments: ["-c", Self.script, "sh", ProcessMark.prefix], platformOptions: options,
                    input: .fileDescriptor(input, closeAfterSpawningProcess: true), output: .discarded, error: .discarded
                ) { _ in started.open() }
            } catch {
                // Programs run without it, and end with this program where that ends regularly.
                started.open()
            }
        }
        return ends[1]
    }
}
