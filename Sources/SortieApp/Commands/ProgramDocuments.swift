internal import ArgumentParser
internal import SortieNetworking

/// The pages of the manual and the completion scripts of this program.
enum ProgramDocuments {
    /// The texts by the names of their files.
    static func files() throws -> [(name: String, text: String)] {
        let pages = ManualPage.pages(of: try ManualCommand(of: SortieCommand.self), version: NetworkingVersion.current)
        return pages.map { ("\($0.name).1", $0.text) } + CompletionScripts.files(of: SortieCommand.self)
    }

    /// The place of a file below the folder of an installation, such as `/usr/local`, as `.ci/install` has it.
    static func place(of name: String) -> String {
        switch name {
        case "sortie.bash": "share/bash-completion/completions/sortie"
        case "_sortie": "share/zsh/site-functions/_sortie"
        case "sortie.fish": "share/fish/vendor_completions.d/sortie.fish"
        default: "share/man/man1/\(name)"
        }
    }
}
