internal import Dispatch
internal import Foundation
internal import SortieStorage
internal import SortieWorkbench
internal import Subprocess
internal import Synchronization
internal import WorkspaceModel

/// Reads the differences from the last commit, and watches the repository where the workspace is permitted.
final class GitEffects: Sendable {
    private let folder: String
    private let permission: WorkspacePermission
    private let mailbox: Mailbox
    private let queue = DispatchQueue(label: "sortie.git")
    /// Nil before the first status, and without a repository.
    private let watch = Mutex<GitWatch?>(nil)

    init(folder: String, permission: WorkspacePermission, mailbox: Mailbox) {
        (self.folder, self.permission, self.mailbox) = (folder, permission, mailbox)
    }

    /// The status; nil without permission, without git and without a repository.
    func read() async -> GitStatus? {
        guard permission.isComplete else { return nil }
        let reader = GitReader(folder: folder, environment: permission.program.childEnvironment)
        // Before the status is read, so that no change is missed.
        if watch.withLock({ $0 == nil }), let data = await reader.repositoryFolder() {
            let started = GitWatch(data, queue: queue) { [mailbox] in mailbox.post(.gitChanged) }
            watch.withLock { $0 = $0 ?? started }
        }
        return await reader.read()
    }
}

extension GitJob: PerformedWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation) async -> GitStatus? { await runner.git.read() ?? GitStatus() }
}

/// Reads the differences of a workspace's files from the last commit with `git`.
///
/// The configuration of a repository can run programs, and a workspace may come from someone else. Therefore `git status` runs only where the
/// user permitted everything that the workspace requests and the configuration of the repository itself has no program that `git status`
/// would run: hooks and the file system monitor are switched off, and with filters nothing is read. Nothing is written and nothing is fetched.
struct GitReader: Sendable {
    /// The largest output in bytes.
    private static let outputLimit = 16 << 20

    /// The absolute folder of the workspace.
    let folder: String
    /// The time that all commands together may take.
    var deadline = Duration.seconds(10)
    /// The environment of git.
    var environment = Environment.inherit

    /// The absolute folder of the repository's data; nil without git and without a repository.
    func repositoryFolder() async -> String? {
        guard let output = await run(["rev-parse", "--absolute-git-dir"]) else { return nil }
        let text = String(decoding: output, as: UTF8.self)
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    /// The status; nil without git, without a repository, with filters in the repository's configuration, and when it takes too long.
    func read() async -> GitStatus? {
        await withDeadline(deadline) { await status() } ?? nil
    }

    private func status() async -> GitStatus? {
        guard let place = await run(["rev-parse", "--show-prefix"]), let list = await run(["config", "--list", "-z", "--show-scope", "--includes"])
        else { return nil }
        guard !Self.runsPrograms(configuration: list) else { return nil }
        let arguments = [
            "status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--ignore-submodules=all", "--no-ahead-behind", "--", ".",
        ]
        let prefix = String(decoding: place, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
        return await run(arguments).map { GitStatus(porcelain: $0, prefix: prefix) }
    }

    /// Whether a configuration of the repository has filters, which `git status` runs for changed files.
    ///
    /// - Parameter list: The output of `git config --list -z --show-scope`: the scope, the key and the value after a line break, in turns.
    static func runsPrograms(configuration list: [UInt8]) -> Bool {
        let records = list.split(separator: 0, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
        return stride(from: 0, to: records.count - 1, by: 2).contains { index in
            let isOfUser = ["system", "global", "command"].contains(records[index])
            return !isOfUser && records[index + 1].lowercased().hasPrefix("filter.")
        }
    }

    /// The output of a command; nil where it cannot be run or fails.
    private func run(_ arguments: [String]) async -> [UInt8]? {
        let settings = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "core.untrackedCache=false", "protocol.allow=never"]
        var options = PlatformOptions()
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .milliseconds(500))]
        do {
            let result = try await Subprocess.run(
                .name("git"), arguments: Arguments(settings.flatMap { ["-c", $0] } + ["-C", folder] + arguments),
                environment: environment.updating([
                    "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_DIR": nil, "GIT_WORK_TREE": nil,
                    "GIT_INDEX_FILE": nil, "GIT_PREFIX": nil,
                ]),
                platformOptions: options, input: .none, output: .bytes(limit: Self.outputLimit), error: .discarded)
            return result.terminationStatus.isSuccess ? result.standardOutput : nil
        } catch {
            // Without marks everything else works, so a missing or failing git is not reported.
            return nil
        }
    }
}

/// Reports commits, and changes of the branch and of the index, by other programs (inotify).
///
/// git replaces `HEAD` and `index` by renaming a file, so their folder is watched.
final class GitWatch: Sendable {
    /// The files whose changes are reported.
    private static let names: Set<String> = ["HEAD", "index"]
    /// The period in which changes are collected, in milliseconds.
    private static let collection = 200

    private let events: FileEvents

    /// Watches the data of a repository in `folder`; nil where the system does not support it.
    ///
    /// - Parameter changed: Called on `queue`.
    init?(_ folder: String, queue: DispatchQueue, changed: @escaping @Sendable () -> Void) {
        guard let events = FileEvents(queue: queue), events.add(folder, Int(IN_CLOSE_WRITE | IN_MOVED_TO) | Int(IN_ONLYDIR)) >= 0 else { return nil }
        self.events = events
        events.start { found in
            guard found.contains(where: { Self.names.contains($0.name) }) else { return }
            queue.asyncAfter(deadline: .now() + .milliseconds(Self.collection), execute: changed)
        }
    }
}
