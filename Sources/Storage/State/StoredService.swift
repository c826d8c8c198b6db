internal import SortieBase
internal import WorkspaceModel

/// A service in a state file: its text in the format of workspace files, and its folder; without endpoints.
///
/// In contrast to a workspace file, values are not checked and paths stay absolute, because the text also keeps what a user is still editing.
struct StoredService: Codable, Hashable {
    var folder: String
    /// The text that the file of the service has, in YAML; empty for a service without settings.
    var text: String

    init(_ service: Service) {
        folder = service.folder
        let members = ServiceForm.stored.members(of: service)
        text = members.isEmpty ? "" : YAMLText.block(.mapping(members), indentation: 0) + "\n"
    }

    /// The service; nil where the text is not YAML.
    ///
    /// - Parameter problems: Receives the keys whose values cannot be read; those values are left out.
    func service(_ problems: inout [String]) -> Service? {
        do {
            var reader = NodeReader(stored: folder)
            let root = try YAMLDocument(stored: text, name: folder).root
            let service = reader.service(root, folder: folder, workspace: Workspace(name: "", folder: ""))
            problems += reader.problems.filter { $0.severity == .error }.map { "\(folder), line \($0.location.line): \($0.message)" }
            return service
        } catch {
            problems.append("\(folder), line \(error.location.line): \(error.message)")
            return nil
        }
    }
}
