internal import SortieBase
package import WorkspaceModel

/// The names that the files of a workspace have, for the completion of command lines.
package struct WorkspaceNames: Hashable, Sendable {
    /// The folders of services.
    package var services: [String]
    /// The targets of the endpoint files, whether they are valid or not.
    package var targets: [String]
    /// The runs.
    package var runs: [String]

    /// Creates a list of names.
    package init(services: [String] = [], targets: [String] = [], runs: [String] = []) {
        (self.services, self.targets, self.runs) = (services, targets, runs)
    }
}

extension WorkspaceFolder {
    /// The names of the workspace's files, in byte order; no file is read.
    package func names() -> WorkspaceNames {
        var walk = FolderWalk(root: path)
        var names = WorkspaceNames()
        for folder in walk.names(in: ".") where walk.isFolder(folder) && walk.mayRead(folder) {
            let files = walk.yamlFiles(in: folder)
            let stems = files.compactMap(FilePath.yamlStem)
            if folder == "runs" {
                names.runs = stems.map { String($0.dropFirst("runs/".count)) }
            } else if stems.contains("\(folder)/service") {
                names.services.append(folder)
                names.targets += stems.filter { FilePath.name(of: $0) != "service" }
            }
        }
        return names
    }

    /// A workspace with the content of `workspace.yaml`; the other files are not read.
    ///
    /// - Throws: ``WorkspaceError/Code/unreadable`` when the file cannot be read; a ``Diagnostic`` when it is not YAML.
    package func settings() throws -> Workspace {
        let document = try YAMLDocument(bytes: try WorkspaceFile.bytes(at: FilePath.joining(path, "workspace.yaml")), file: "workspace.yaml")
        var reader = NodeReader(file: "workspace.yaml", folder: path, folders: folders)
        var workspace = Workspace(name: "", folder: path)
        reader.fill(&workspace, from: document.root)
        return workspace
    }
}
