/// A parameter in the path of an endpoint: a segment `:name`, or `{name}` anywhere in a segment.
///
/// Its value is the variable of that name: of the step, `--var`, the endpoint, the environment or the workspace. Without a variable the text is sent as
/// it is. Scheme and host have no parameters, so that a value cannot name another host.
package struct PathParameter: Hashable, Sendable {
    /// The name of the variable.
    package var name: String
    /// The parameter as it is written, with its colon or braces.
    package var text: String

    /// The text of a parameter with another name, in the same notation.
    package func text(named name: String) -> String { text.hasPrefix(":") ? ":" + name : "{" + name + "}" }

    /// Whether a text can be the name of a parameter: a letter or an underscore, then letters, digits, underscores and hyphens.
    package static func isName(_ text: some StringProtocol) -> Bool {
        guard let first = text.first, first == "_" || first.isLetter else { return false }
        return text.allSatisfy { $0 == "_" || $0 == "-" || $0.isLetter || $0.isNumber }
    }

    /// A part of a path.
    enum Piece: Hashable {
        case text(String)
        case parameter(PathParameter)
    }

    /// The parts of a path in order.
    static func pieces(of path: String) -> [Piece] {
        let (beforeFragment, _) = TemplateScan.split(path[...], at: "#")
        let (whole, _) = TemplateScan.split(beforeFragment, at: "?")
        guard let start = start(of: whole) else { return [.text(path)] }
        var pieces: [Piece] = []
        var plain = String(path[..<start])
        func end() {
            if !plain.isEmpty { pieces.append(.text(plain)) }
            plain = ""
        }
        for (index, segment) in TemplateScan.pieces(path[start..<whole.endIndex], separator: "/").enumerated() {
            if index > 0 { plain += "/" }
            if segment.hasPrefix(":"), isName(segment.dropFirst()) {
                end()
                pieces.append(.parameter(PathParameter(name: String(segment.dropFirst()), text: String(segment))))
                continue
            }
            var rest = segment[...]
            while let open = rest.firstIndex(of: "{") {
                let inner = rest[rest.index(after: open)...]
                if inner.first == "{" {
                    // A template is a separate value.
                    let stop = inner.firstRange(of: "}}")?.upperBound ?? rest.endIndex
                    plain.append(contentsOf: rest[..<stop])
                    rest = rest[stop...]
                } else if let close = inner.firstIndex(of: "}"), isName(inner[..<close]) {
                    plain.append(contentsOf: rest[..<open])
                    end()
                    pieces.append(.parameter(PathParameter(name: String(inner[..<close]), text: String(rest[open...close]))))
                    rest = rest[rest.index(after: close)...]
                } else {
                    plain.append(contentsOf: rest[...open])
                    rest = inner
                }
            }
            plain.append(contentsOf: rest)
        }
        plain.append(contentsOf: path[whole.endIndex...])
        end()
        return pieces
    }

    /// The start of the path proper, after scheme and host: the first slash.
    private static func start(of text: Substring) -> String.Index? {
        let afterScheme = text.firstRange(of: "://").map(\.upperBound) ?? text.startIndex
        let (before, after) = TemplateScan.split(text[afterScheme...], at: "/")
        return after == nil ? nil : before.endIndex
    }
}

extension Endpoint {
    /// The parameters in the path, each name once.
    package var pathParameters: [PathParameter] {
        var names: Set<String> = []
        return PathParameter.pieces(of: path).compactMap { piece in
            guard case .parameter(let parameter) = piece, names.insert(parameter.name).inserted else { return nil }
            return parameter
        }
    }

    /// The path with `{{name}}` in place of the parameters that are defined.
    package func pathTemplate(where isDefined: (String) -> Bool) -> String {
        replacingPathParameters { isDefined($0.name) ? "{{\($0.name)}}" : $0.text }
    }

    /// The path with texts in place of its parameters.
    package func replacingPathParameters(with text: (PathParameter) -> String) -> String {
        PathParameter.pieces(of: path).map { piece in
            switch piece {
            case .text(let text): text
            case .parameter(let parameter): text(parameter)
            }
        }.joined()
    }

    /// Sets the value of a parameter in the path as a variable of the endpoint; an empty value removes the variable.
    package mutating func setPathParameter(_ index: Int, to value: String) {
        let parameters = pathParameters
        guard parameters.indices.contains(index) else { return }
        variables[parameters[index].name] = value.isEmpty ? nil : value
    }

    /// Gives a parameter another name in the path, with its value; a text that is not a name, or that is in use, changes nothing.
    package mutating func renamePathParameter(_ index: Int, to name: String) {
        let parameters = pathParameters
        guard parameters.indices.contains(index), PathParameter.isName(name), variables[name] == nil, !parameters.contains(where: { $0.name == name })
        else { return }
        let before = path
        let old = parameters[index].name
        path = replacingPathParameters { $0.name == old ? $0.text(named: name) : $0.text }
        moveValueOfPathParameter(from: before)
    }

    /// Moves the value of a parameter after a change of the path that gave it another name.
    ///
    /// A variable that the endpoint also uses elsewhere keeps its name.
    package mutating func moveValueOfPathParameter(from before: String) {
        var old = self
        old.path = before
        let (oldNames, newNames) = (old.pathParameters.map(\.name), pathParameters.map(\.name))
        guard oldNames.count == newNames.count else { return }
        let changed = zip(oldNames, newNames).filter { $0 != $1 }
        guard changed.count == 1, let (from, to) = changed.first, !newNames.contains(from), !uses(variable: from) else { return }
        guard let value = variables[from], variables[to] == nil else { return }
        variables[from] = nil
        variables[to] = value
    }

    private func uses(variable name: String) -> Bool {
        (sentTemplates + variables.values).contains { text in
            Template(text).segments.contains { if case .variable(name, _) = $0 { true } else { false } }
        }
    }
}
