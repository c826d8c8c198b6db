internal import Subprocess
internal import SystemPackage

/// A program that uses the terminal until it ends.
enum ForegroundProcess {
    /// Runs a shell command in the program's process group, with its standard streams and no other descriptors, and blocks the main thread until it
    /// has ended.
    ///
    /// Returns its exit status; 127 when it cannot be started.
    ///
    /// - Parameters:
    ///   - input: What the command reads; stdin of the program by default.
    ///   - environment: Variables that are added to the environment.
    static func run(
        _ command: String, _ arguments: [String], in program: ProgramContext, input: some InputProtocol = .currentStandardInput,
        environment: [Environment.Key: String?] = [:]
    ) -> Int32 {
        do {
            return try MainThread.wait {
                let result = try await Subprocess.run(
                    .path("/bin/sh"), arguments: Arguments(executablePathOverride: "sh", remainingValues: ["-c", command, "sh"] + arguments),
                    environment: program.childEnvironment.updating(environment), workingDirectory: program.childFolder, input: input,
                    output: .currentStandardOutput, error: .currentStandardError)
                return result.terminationStatus.exitStatus
            }
        } catch { return 127 }
    }
}

extension TerminationStatus {
    /// The status as a shell reports it: 128 + the number of the signal for a process that one ended.
    var exitStatus: Int32 {
        switch self {
        case .exited(let status): status
        case .signaled(let signal): 128 + signal
        }
    }
}
