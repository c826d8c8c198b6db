internal import SortieHTTP
internal import WorkspaceModel

extension ImportedURL {
    /// Why requests cannot be sent to a URL, which the files of a workspace would refuse; nil where they can, and where templates determine it.
    static func problem(of url: String) -> String? {
        guard Template(url).isPlain else { return nil }
        do throws(HTTPURL.ParseError) {
            _ = try HTTPURL(parsing: url)
            return nil
        } catch { return error.reason }
    }
}
