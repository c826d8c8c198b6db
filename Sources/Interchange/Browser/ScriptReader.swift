internal import SortieBase

/// Reads the requests of a script.
protocol ScriptReader {
    init(_ text: String, file: String)
    /// The names whose values are not known.
    var variables: ScriptVariables { get }
    /// The next request, or why it cannot be read; nil at the end.
    mutating func next() -> Result<ScriptRequest, Diagnostic>?
}

extension ScriptReader {
    /// The requests of a script in services.
    ///
    /// - Parameters:
    ///   - item: The name of the script in lines of the report that concern many requests.
    ///   - request: The name of a request that cannot be read.
    static func workspace(from source: ImportSource, item: String, request: String) throws(Diagnostic) -> ImportedWorkspace {
        var reader = Self(try source.text(), file: source.name)
        var collector = HARCollector(file: source.name, item: item)
        while let next = reader.next() {
            switch next {
            case .success(let found): collector.add(found, reader.variables)
            case .failure(let problem): collector.omit(request, problem, reader.variables)
            }
        }
        return try collector.workspace(named: source.stem)
    }
}

extension ImportSource {
    /// Whether a line in the first 64 KiB of a file fulfils a condition; false for a folder.
    func hasLine(_ condition: (Substring) -> Bool) -> Bool {
        guard paths == nil else { return false }
        return String(decoding: start(1 << 16), as: UTF8.self).split(whereSeparator: \.isNewline).contains(where: condition)
    }
}
