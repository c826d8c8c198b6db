package import SortieBase

/// Imports exports of Insomnia: version 4 (a list of resources in JSON or YAML) and version 5 (YAML).
package enum InsomniaImport: ImportFormat {
    package static let name = "insomnia"
    package static let title = "Insomnia exports, version 4 and 5"

    package static func recognizes(_ source: ImportSource) -> Bool {
        let lines = source.bytes.prefix(1 << 16).split { $0 == 0x0a || $0 == 0x0d }
        let marks = ["__export_format", "insomnia.rest/5"].map { Array($0.utf8) }
        return lines.contains { line in marks.contains { mark in line.firstRange(of: mark) != nil } }
    }

    package static func workspace(from source: ImportSource) throws(Diagnostic) -> ImportedWorkspace {
        let root = try source.document(source.bytes, file: source.name)
        guard root.members != nil else { throw Diagnostic(root.place(in: source.name), "this is no export of Insomnia") }
        var reader = InsomniaReader(file: source.name)
        if let type = root["type"]?.string, type.contains("insomnia.rest/") {
            try reader.addNested(root, type: type)
        } else {
            let version = root["__export_format"]?.text ?? "missing"
            guard version == "4" || version == "3" else {
                throw Diagnostic(
                    (root["__export_format"] ?? root).place(in: source.name),
                    "the version \(version) of this export is not supported; open it in Insomnia and export it again (version 4 or 5)")
            }
            guard let resources = root["resources"], resources.items != nil else {
                throw Diagnostic((root["resources"] ?? root).place(in: source.name), "the export has no list “resources”")
            }
            reader.addResources(resources)
        }
        return reader.workspace(named: source.stem)
    }
}
