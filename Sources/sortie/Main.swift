internal import Dispatch
internal import Glibc
internal import SortieApp
internal import SortieNetworking

@main
enum Main {
    static func main() {
        StandardDescriptors.reserve()
        // A reader that went away is an error of the write, not the end of the process. A handler, because to ignore the signal
        // would be inherited by the editor and by the commands of secrets, whose pipes need it.
        signal(SIGPIPE, pipeBroke)
        // Swift's crash report handles this signal where the program has a toolchain, and the program would continue after it.
        if !SignalAction.isIgnored(SIGQUIT) { signal(SIGQUIT, SIG_DFL) }
        // First, because only a process with one thread can be forked.
        let detachment = Program.mayDetach(Array(CommandLine.arguments.dropFirst())) ? Detachment.ofProcess() : nil
        let program = ProgramContext.ofProcess(detachment: detachment, command: Program.run(in:), end: { _exit($0) })
        if let code = Program.refusal(in: program) { exit(code) }
        if Program.sendsRequests(program.arguments) {
            // libcurl is loaded while the arguments are parsed and the workspace is read; the thread of the command is started first, because glibc
            // starts none while it loads a library.
            BlockingExecutor.shared.start {}
            Client.prepareEngine()
        }
        let status = Program.run(in: program)
        let ended = DispatchSemaphore(value: 0)
        Client.shutDownEngine { ended.signal() }
        ended.wait()
        program.endChildren()
        exit(status)
    }
}

/// Does nothing; no closure, because that would belong to the main actor and run on whichever thread wrote.
private func pipeBroke(_ signal: Int32) {}
