internal import Foundation
internal import Glibc
internal import SortieBase
internal import SortieStorage
internal import SortieWorkbench
internal import WorkspaceModel

extension ContractReportJob: ReportingWork {
    /// Runs the command as an invocation of its own, and reports its lines.
    func perform(in runner: EffectRunner, _ cancellation: Cancellation, report step: (ContractReportStep) -> Void) {
        var ends: [Int32] = [-1, -1]
        let input = open("/dev/null", O_RDONLY | O_CLOEXEC)
        // Programs that the workbench starts meanwhile do not keep the connection open.
        guard input >= 0, socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            if input >= 0 { close(input) }
            return step(.ended("The command cannot be started: \(String(cString: strerror(errno)))"))
        }
        let (reading, writing) = (ends[0], ends[1])
        let program = ProgramContext(
            arguments: arguments(in: runner.workspaceFolder), environment: runner.program.environment, folder: runner.program.folders.current,
            input: input, output: writing, errors: writing, ownsProcess: false
        ) { _ in }
        cancellation.whenCancelled { program.interruptions.interrupt() }
        let owner = runner.program
        let thread = Thread {
            _ = owner.run(program)
            program.endChildren()
            close(writing)
            close(input)
        }
        thread.stackSize = 8 << 20
        thread.start()
        Self.forEachLine(of: reading) { step(.line($0)) }
        close(reading)
        step(.ended(nil))
    }

    private func arguments(in folder: String) -> [String] {
        let place = ["-w", folder] + (environment.map { ["-e", $0] } ?? [])
        switch report {
        case .check: return ["contract", "check", "--history", "-w", folder]
        // The workbench has asked for the permission.
        case .test: return ["contract", "test", endpoint?.target ?? "", "--max", String(limit), "--trust"] + place
        case .mock:
            if let document { return ["mock", FilePath.joining(folder, document), "--strict"] }
            return ["mock", folder] + (environment.map { ["-e", $0] } ?? [])
        }
    }

    /// Reads lines until the writer closes its end.
    private static func forEachLine(of descriptor: Int32, _ take: (String) -> Void) {
        var rest: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            rest += buffer[..<count]
            while let end = rest.firstIndex(of: 0x0A) {
                take(String(decoding: rest[..<end], as: UTF8.self))
                rest.removeSubrange(...end)
            }
        }
        if !rest.isEmpty { take(String(decoding: rest, as: UTF8.self)) }
    }
}
