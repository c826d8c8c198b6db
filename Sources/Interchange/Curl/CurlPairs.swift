internal import SortieBase
internal import WorkspaceModel

/// The pairs of a query or a form as rows.
enum CurlPairs {
    /// The rows from which exactly this text is made again; nil where there are none, so that the text must be kept.
    static func rows(of text: String, allowed: PercentEncoding.Allowed) -> [Parameter]? {
        guard ShellText.isPlain(text), !text.isEmpty else { return nil }
        var rows: [Parameter] = []
        for pair in text.split(separator: "&", omittingEmptySubsequences: false) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard !parts[0].isEmpty, let name = decoded(parts[0], allowed), let value = decoded(parts.count == 2 ? parts[1] : "", allowed) else {
                return nil
            }
            // Rows of a file express a name without “=” only with a setting of the workspace.
            guard parts.count == 2 else { return nil }
            rows.append(Parameter(Template.quoting(name), Template.quoting(value)))
        }
        return rows
    }

    private static func decoded(_ text: Substring, _ allowed: PercentEncoding.Allowed) -> String? {
        let bytes = PercentEncoding.decodedBytes(text.utf8, plusIsSpace: allowed == .form)
        guard let result = String(validating: bytes, as: UTF8.self), PercentEncoding.encode(result, allowed: allowed) == text else { return nil }
        return result
    }
}
