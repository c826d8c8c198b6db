internal import Dispatch
internal import SortieBase
internal import SortieStorage
internal import WorkspaceModel

/// `sortie run --watch`.
extension RunCommand {
    /// Runs at once, and again after each change of the workspace's files, until Ctrl-C.
    ///
    /// A change during a run starts one further run after it. Files that the command itself writes are not considered as changes.
    func runOnEachChange(in program: ProgramContext) async throws {
        let other = [("--resume", resume), ("--failed", failed), ("--from", !from.isEmpty)].first(where: \.1)?.0
        if let other { throw CommandFailure(.usage, "--watch starts each run from the beginning; leave out \(other)") }
        if data == "-" { throw CommandFailure(.usage, "--watch cannot read the data from standard input again; name a file with --data") }
        let folder = try found(in: program).0.folder
        let written = Set([junit, capture].compactMap(\.self).map(FilePath.name))
        let (changes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let watch = WorkspaceWatch(
            folder, queue: DispatchQueue(label: "sortie.watch"),
            isRelevant: { [updateSnapshots] name in !written.contains(name) && !(updateSnapshots && name.hasSuffix(".snapshot")) },
            changed: { continuation.yield() })
        guard let watch else {
            throw CommandFailure(.file, name: "watch", "changes of \(folder) cannot be detected on this system", hint: "run it without --watch")
        }
        var waiting = changes.makeAsyncIterator()
        repeat {
            do { try await runOnce(in: program) } catch let failure as CommandFailure {
                // The file that is invalid now may be corrected by the next change.
                guard failure.kind != .interrupted else { throw failure }
                failure.report(to: program.errors)
            }
        } while await Self.nextChange(&waiting, in: program) { continuation.finish() }
        withExtendedLifetime(watch) {}
    }

    /// Waits for a change; returns false after Ctrl-C.
    private static func nextChange(_ changes: inout AsyncStream<Void>.Iterator, in program: ProgramContext, stop: @escaping @Sendable () -> Void)
        async -> Bool
    {
        let interruption = Interruption(in: program, stop)
        program.errors.line("waiting for changes of the workspace; Ctrl-C ends")
        let isChanged = await changes.next() != nil
        // A signal between two runs ends the program.
        if isChanged { interruption.end() }
        return isChanged
    }
}
