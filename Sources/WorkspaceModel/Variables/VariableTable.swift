package import SortieBase

extension VariableLayer {
    fileprivate var isEnvironment: Bool { if case .environment = self { true } else { false } }
}

/// The variables and secrets of a workspace with their definitions in every environment, and the places that use them.
package struct VariableTable: Sendable {
    /// A definition of a variable.
    package struct Definition: Hashable, Sendable {
        /// The place that defines it.
        package let layer: VariableLayer
        /// The value with unresolved templates; for a secret, its source.
        package let text: String
        /// The source of a secret; nil for a variable.
        package let secret: SecretSource?
        /// The location in the files; nil for `--var`.
        package let location: SourceLocation?

        /// The place in the files, or the layer: `environment develop · workspace.yaml:7`.
        package var place: String { layer.text + (location.map { " · \($0.file):\($0.line)" } ?? "") }
    }

    /// A variable.
    package struct Row: Hashable, Sendable {
        /// The name.
        package let name: String
        /// All definitions, in the order of precedence.
        package let definitions: [Definition]
        /// The places of its templates.
        package let uses: [SourceLocation]

        /// The definitions that apply in an environment, the effective one first; those of endpoints are not included.
        package func definitions(in environment: String?) -> [Definition] {
            definitions.filter { definition in
                switch definition.layer {
                case .endpoint: false
                case .environment(let name): name == environment
                case .option, .environmentFile, .workspace, .publicParameters, .secret: true
                }
            }
        }

        /// The effective definition in an environment; nil where nothing defines it.
        package func definition(in environment: String?) -> Definition? { definitions(in: environment).first }

        /// The definitions of endpoints, which take precedence in them.
        package var ofEndpoints: [Definition] {
            definitions.filter { if case .endpoint = $0.layer { true } else { false } }
        }
    }

    /// The variables in alphabetical order, with the names that are used and defined nowhere.
    package let rows: [Row]

    /// Creates the table of a workspace.
    ///
    /// - Parameter overrides: the variables of the command line.
    package init(_ workspace: Workspace, overrides: [String: String] = [:]) {
        var definitions: [String: [Definition]] = [:]
        func add(_ name: String, _ layer: VariableLayer, _ text: String, secret: SecretSource? = nil) {
            let key = VariableKey(name, layer)
            let replaced = workspace.replacedValues[key]
            // The command line also sets the variables of the files, where it replaces them or adds its own.
            if replaced == nil, overrides[name] == text, layer == .workspace || layer.isEnvironment { return }
            definitions[name, default: []].append(
                Definition(layer: layer, text: replaced ?? text, secret: secret, location: workspace.variablePlaces[key]))
        }
        for (name, text) in overrides { add(name, .option, text) }
        for endpoint in workspace.endpoints { for (name, text) in endpoint.variables { add(name, .endpoint(endpoint.id), text) } }
        for environment in workspace.environments {
            for (name, text) in environment.variables { add(name, .environment(environment.name), text) }
        }
        let ofFiles = workspace.variablePlaces.keys.reduce(into: [String: VariableLayer]()) { layers, key in
            if case .environmentFile = key.layer { layers[key.name] = key.layer }
        }
        for (name, text) in workspace.variables { add(name, ofFiles[name] ?? .workspace, text) }
        for row in workspace.publicParameters where definitions[row.name]?.last?.layer != .publicParameters {
            add(row.name, .publicParameters, row.value)
        }
        for (name, source) in workspace.secrets { add(name, ofFiles[name] ?? .secret, source.text, secret: source) }
        let ofRuns = workspace.namesOfRuns
        let unknown = workspace.variableUses.keys.filter { definitions[$0] == nil && !ofRuns.contains($0) }
        rows = (Array(definitions.keys) + unknown).sorted { ($0.lowercased(), $0) < ($1.lowercased(), $1) }.map { name in
            let sorted = (definitions[name] ?? []).enumerated().sorted { ($0.element.layer.rank, $0.offset) < ($1.element.layer.rank, $1.offset) }
            return Row(name: name, definitions: sorted.map(\.element), uses: workspace.variableUses[name] ?? [])
        }
    }
}

extension Workspace {
    /// The names that only runs define: those of `with`, of the data, and of captured values.
    package var namesOfRuns: Set<String> {
        let captures = Dictionary(endpoints.map { ($0.target, $0.captures.map(\.name)) }) { first, _ in first }
        var names: Set<String> = []
        for run in runs {
            names.formUnion(run.dataColumns ?? [])
            for step in run.steps {
                names.formUnion(step.variables.keys)
                names.formUnion((captures[step.target, default: []] + step.captures.map(\.name)).map { "\(step.name).\($0)" })
            }
        }
        return names
    }
}
