extension Diagnostic {
    /// What the user can do about a problem, where commands do it with an option and the workbench with a key.
    ///
    /// The message of the problem does not name it: commands add `programText`, and the workbench the keys that are bound.
    @usableFromInline
    package enum Remedy: Hashable, Sendable {
        /// The problem is a file in a protected place.
        case protectedFile
        /// The files of the workspace list the use, which the user has not permitted; with the path of the workspace.
        case permission(workspace: String)
        /// The use is known only when the request is sent, so that the files of the workspace do not list it.
        case unlistedUse
        /// The value of a secret is not stored on this machine.
        case storedSecret(name: String, stored: String)
        /// The value is entered before the request is sent.
        case promptedValue(label: String)
        /// The value comes from the response of another endpoint, which is not sent for a preview.
        case capturedValue(name: String)
        /// The body of a response is not recorded yet as the snapshot that it is compared with.
        case missingSnapshot
        /// Another one, which nothing carries out, in the words of commands and in those of the workbench.
        case text(program: String, workbench: String)
    }
}
