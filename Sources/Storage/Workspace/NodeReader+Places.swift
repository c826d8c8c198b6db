internal import SortieBase
internal import WorkspaceModel

extension NodeReader {
    /// The places of the variables that a mapping, or a list of rows with `name`, defines.
    func places(of node: YAMLNode?, in layer: VariableLayer) -> [VariableKey: SourceLocation] {
        var result: [VariableKey: SourceLocation] = [:]
        let names = (node?.entries?.map(\.key) ?? []) + (node?.items?.compactMap { $0["name"] } ?? [])
        for name in names {
            guard let text = name.text else { continue }
            result[VariableKey(text, layer)] = place(name)
        }
        return result
    }
}
