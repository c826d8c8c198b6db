internal import Foundation
internal import Glibc
internal import SortieBase
internal import SortieStorage
internal import SortieWorkbench
internal import WorkspaceModel

extension ContractReportJob: ReportingWork {
    /// Runs the command as a separate invocation, and reports its lines so far with each piece that it prints.
    func perform(in runner: EffectRunner, _ cancellation: Cancellation, report post: (ContractOutput) -> Void) {
        var result = ContractOutput(subject: subject)
        var ends: [Int32] = [-1, -1]
        let input = open("/dev/null", O_RDONLY | O_CLOEXEC)
        // Programs that the workbench starts meanwhile do not keep the connection open.
        guard input >= 0, socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            if input >= 0 { close(input) }
            result.end("The command cannot be started: \(String(cString: strerror(errno)))")
            return post(result)
        }
        let (reading, writing) = (ends[0], ends[1])
        let program = ProgramContext(
            arguments: arguments(in: runner.workspaceFolder, overrides: runner.requests.overrides),
            environment: runner.program.environment, folder: runner.program.folders.current,
            input: input, output: writing, errors: writing, ownsProcess: false
        ) { _ in }
        cancellation.whenCancelled { program.interruptions.interrupt() }
        let command = runner.program.command
        let thread = Thread {
            _ = command?(program)
            program.endChildren()
            close(writing)
            close(input)
        }
        thread.stackSize = 8 << 20
        thread.start()
        Self.readLines(of: reading) { lines in
            for line in lines { result.add(line) }
            post(result)
        }
        close(reading)
        result.end()
        post(result)
    }

    private func arguments(in folder: String, overrides: [String: String]) -> [String] {
        let place =
            ["-w", folder] + (environment.map { ["-e", $0] } ?? [])
            + overrides.sorted { $0.key < $1.key }.flatMap { ["--var", "\($0.key)=\($0.value)"] }
        // The workbench has asked for the permission.
        switch report {
        case .check: return ["contract", "check", "--history", "--trust", "-w", folder]
        case .test:
            return ["contract", "test", endpoint?.target ?? "", "--max", String(limit), "--trust"] + (sendsUnsafe ? ["--unsafe"] : []) + place
        case .mock:
            return ["mock", folder, "--trust"] + (isStrict ? ["--strict"] : []) + (environment.map { ["-e", $0] } ?? [])
        }
    }

    /// Reads until the writer closes its end, and hands the lines of each piece over.
    private static func readLines(of descriptor: Int32, _ take: ([String]) -> Void) {
        var rest: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            rest += buffer[..<count]
            guard let end = rest.lastIndex(of: 0x0A) else { continue }
            take(rest[..<end].split(separator: 0x0A, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) })
            rest.removeSubrange(...end)
        }
        if !rest.isEmpty { take([String(decoding: rest, as: UTF8.self)]) }
    }
}
