import Support
import Testing

/// Tests commands while functions of the system fail, and after a crash at any of their file operations.
///
/// An ordinary run has the first call of each function and some of the operations, `make test-long` all.
struct FaultTests {
    @Test(arguments: FaultScenario.all) func `a command that meets a fault loses nothing, names it, and works afterwards`(scenario: FaultScenario)
        async throws
    {
        let prepared = try await PreparedScenario(scenario)
        for fault in LongRun.isRequested ? Fault.all : Fault.usual {
            for number in 1...(LongRun.isRequested ? 1000 : 1) {
                guard let (place, run) = try await prepared.run(with: fault, number: number) else { break }
                let injected = "\(fault) in call \(number): \(place)"
                guard case .exited(0...4) = run.status else {
                    Issue.record("\(injected): \(run)")
                    continue
                }
                let found = try await prepared.facts()
                prepared.expectSound(found, injected, run)
                if !scenario.isDone(run) || found != prepared.after {
                    #expect((scenario.named + FaultScenario.namedElsewhere).contains(where: run.errorOutput.contains), "\(injected): \(run)")
                }
                try await prepared.expectRepeated(found, injected)
            }
        }
    }

    @Test(arguments: FaultScenario.all) func `after a crash at any file operation the next command finds the old or the new state`(
        scenario: FaultScenario
    ) async throws {
        let prepared = try await PreparedScenario(scenario)
        let operations = try await prepared.operations()
        #expect(operations.contains { $0.kind == "w" })
        var tree = prepared.start
        let step = LongRun.isRequested ? 1 : max(1, operations.count / 3)
        for (index, operation) in operations.enumerated() {
            tree.apply(operation)
            guard index % step == 0 else { continue }
            for onlySynced in LongRun.isRequested ? [false, true] : [index / step % 2 == 0] {
                try tree.restore(onlySynced: onlySynced)
                let crash = "\(onlySynced ? "power failure" : "end") after operation \(index) of \(operations.count), \(operation)"
                var found = try await prepared.facts(isCrashed: true)
                // A new output file is not synchronized, because the command makes it again.
                if onlySynced {
                    found = found.filter { !$0.contains(" has 0 bytes") || $0.contains("work/result.txt ") && scenario.files["result.txt"] != nil }
                }
                prepared.expectSound(found, crash)
                try await prepared.expectRepeated(found, crash, isCrashed: true)
            }
        }
    }
}

extension PreparedScenario {
    /// Expects that nothing is stored except what was there before or is there after the command, and that what it does not change is there.
    fileprivate func expectSound(_ found: Set<Fact>, _ cause: String, _ run: ProcessRun? = nil) {
        let lost = before.intersection(after).subtracting(found).sorted()
        let foreign = found.subtracting(before).subtracting(after).filter { fact in
            scenario.growing.map { !fact.hasPrefix("work/\($0) ") } ?? true
        }.sorted()
        #expect(lost.isEmpty && foreign.isEmpty, "\(cause)\nlost: \(lost)\nforeign: \(foreign)\n\(run.map { "\($0)" } ?? "")")
    }

    /// Expects that the command does what is missing when it is run again, and leaves no temporary file.
    fileprivate func expectRepeated(_ found: Set<Fact>, _ cause: String, isCrashed: Bool = false) async throws {
        guard found != after else { return }
        let run = try await self.run()
        let end = try await facts(isCrashed: isCrashed)
        let missing = after.subtracting(end).sorted()
        let foreign = end.subtracting(before).subtracting(after).sorted()
        #expect(scenario.isDone(run) && missing.isEmpty && foreign.isEmpty, "again after \(cause)\nmissing: \(missing)\nforeign: \(foreign)\n\(run)")
    }
}
