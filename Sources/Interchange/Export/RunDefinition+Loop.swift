internal import SortieBase
package import WorkspaceModel

extension RunDefinition.Step {
    /// The variable and the items of a list in the file, for which an exported program has a loop; nil for other loops, and for a variable with the
    /// name of a credential, whose values are not written.
    package var exportedLoop: (variable: String, items: [String])? {
        guard case .forEach(let variable, .list(let items)) = loop, !CredentialNames.contains(variable) else { return nil }
        return (variable, items)
    }
}
