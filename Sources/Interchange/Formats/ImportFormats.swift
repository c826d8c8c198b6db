package import SortieBase

/// The formats that can be imported.
package enum ImportFormats {
    /// All formats, in the order of detection.
    package static let all: [any ImportFormat.Type] = [
        HARImport.self, PostmanImport.self, InsomniaImport.self, OpenAPIImport.self, FetchImport.self, PowerShellImport.self, CurlImport.self,
        BrunoImport.self, PostingImport.self, SlumberImport.self, GRPCImport.self, HurlImport.self, HTTPFileImport.self,
        DotenvImport.self,
    ]

    /// The format with a name for `--format`.
    package static func named(_ name: String) -> (any ImportFormat.Type)? { all.first { $0.name == name } }

    /// The format of a file by the ending of its name, else by its content.
    ///
    /// - Throws: A diagnostic that lists the formats, where no format recognizes the content.
    package static func format(of source: ImportSource) throws(Diagnostic) -> any ImportFormat.Type {
        let name = source.name.lowercased()
        let named = source.paths == nil ? all.filter { $0.endings.contains(where: name.hasSuffix) } : []
        // Content of another format under the name of this one is read as what it is.
        if let format = (named + all).first(where: { $0.recognizes(source) }) ?? named.first { return format }
        let list = all.map { "\($0.name) (\($0.title))" }.joined(separator: ", ")
        let problem = source.bytes.allSatisfy { $0 <= 0x20 } ? "there is nothing to import" : "the format is not known"
        throw Diagnostic(SourceLocation(file: source.name), "\(problem); the formats are \(list); sortie import --format NAME names one")
    }
}
