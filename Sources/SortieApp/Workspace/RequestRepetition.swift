internal import SortieHTTP
internal import WorkspaceModel

/// A command's request for further calls: the same one, or built again where its templates have values that differ for each call.
///
/// Secrets, files and values that the user entered are those of the first call.
struct RequestRepetition: Sendable {
    private let templates: CommandTemplates
    private var first: Request
    private let check: ResponseCheck?
    private let locations: LocationOptions
    /// Whether the login of a netrc file replaced that of the templates.
    private let usesNetrc: Bool
    /// Whether a value differs for each call, such as `{{$uuid}}`.
    let isDynamic: Bool

    /// - Parameters:
    ///   - first: the request of the first call, with all options of the command line.
    ///   - check: its check.
    ///   - usesNetrc: whether the login of a netrc file replaced that of the templates.
    init(templates: CommandTemplates, first: Request, check: ResponseCheck?, locations: LocationOptions, usesNetrc: Bool) {
        (self.templates, self.first, self.check) = (templates, first, check)
        (self.locations, self.usesNetrc) = (locations, usesNetrc)
        isDynamic = templates.inputs.areDynamic
    }

    /// Changes the options of all further calls.
    mutating func change(_ change: (inout RequestOptions) -> Void) { change(&first.options) }

    /// The request of a further call and its check.
    ///
    /// - Throws: A `CommandFailure` where a template has no value any more.
    func next() async throws -> (request: Request, check: ResponseCheck?) {
        guard isDynamic else { return (first, check) }
        let resolution = try await templates.again().resolve()
        var request = resolution.request
        // The options contain no values that differ, and calls that share them need fewer settings in the engine.
        request.sharedOptions = first.sharedOptions
        if usesNetrc {
            // A login for Digest or NTLM is in the options and has no field.
            request.headers.fields.removeAll { $0.isNamed("Authorization") }
            request.headers.fields += first.headers.fields.filter { $0.isNamed("Authorization") }
        }
        try locations.check(request, in: templates.values.permission.program)
        return (request, resolution.check)
    }
}
