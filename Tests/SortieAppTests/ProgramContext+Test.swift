@testable import SortieApp
@testable import SortieStorage

extension ProgramContext {
    /// A context without streams, for tests of what does not print.
    static func withoutStreams(environment: [String: String] = [:]) -> ProgramContext {
        ProgramContext(
            arguments: [], environment: environment, folder: "/", input: -1, output: -1, errors: -1, ownsProcess: false, end: { _ in })
    }
}

extension WorkspaceFolder {
    init(path: String) { self.init(path: path, ProgramContext.withoutStreams().folders) }
}
