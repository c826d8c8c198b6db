internal import Foundation
internal import SortieBase
internal import SortieStorage

/// Opens another workspace after the workbench was left for it.
enum NextWorkspace {
    /// Replaces the process by one that opens the workspace, so that nothing of the previous one is left: no connection, secret or command.
    ///
    /// - Throws: When the program cannot be started; otherwise it does not return.
    static func open(_ folder: String, _ output: ScreenOptions, in program: ProgramContext) throws {
        let command = RealPath.of(folder) == RealPath.of(DemoCopy.path(program.folders)) ? ["demo"] : ["open", "--workspace", folder]
        let options = (output.noColor ? ["--no-color"] : []) + (output.noHistory ? ["--no-history"] : [])
        var arguments: [UnsafeMutablePointer<CChar>?] = ([CommandLine.arguments.first ?? "sortie"] + command + options).map { strdup($0) }
        arguments.append(nil)
        execv(ProgramFile.own, arguments)
        let reason = String(cString: strerror(errno))
        for argument in arguments { free(argument) }
        throw CommandFailure(.file, name: "workspace", "\(folder) cannot be opened: \(reason)")
    }
}
