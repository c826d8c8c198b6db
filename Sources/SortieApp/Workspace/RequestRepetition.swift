internal import SortieHTTP

/// A command's request for further calls: the same one, or built again where its templates have values that differ for each call.
///
/// Secrets, files and values that the user entered are those of the first call.
struct RequestRepetition: Sendable {
    private let templates: CommandTemplates
    private var first: PreparedRequest
    /// Whether the login of a netrc file replaced that of the templates.
    private let usesNetrc: Bool
    /// Whether a value differs for each call, such as `{{$uuid}}`.
    let isDynamic: Bool

    /// - Parameters:
    ///   - first: the request of the first call, with all options of the command line.
    ///   - usesNetrc: whether the login of a netrc file replaced that of the templates.
    init(templates: CommandTemplates, first: PreparedRequest, usesNetrc: Bool) {
        (self.templates, self.first, self.usesNetrc) = (templates, first, usesNetrc)
        isDynamic = templates.inputs.areDynamic
    }

    /// Changes the options of all further calls.
    mutating func change(_ change: (inout RequestOptions) -> Void) throws {
        var request = first.request
        change(&request.options)
        try first.replace(with: request)
    }

    /// The request of a further call with its check.
    ///
    /// - Throws: A `CommandFailure` where a template has no value any more.
    func next() async throws -> PreparedRequest {
        guard isDynamic else { return first }
        var prepared = try await templates.again().resolve()
        var request = prepared.request
        // Of the options, only credentials may have values that differ; calls that share options need fewer settings in the engine.
        let credential = request.options.credential
        request.sharedOptions = first.request.sharedOptions
        if !usesNetrc {
            if request.options.credential != credential { request.options.credential = credential }
        } else {
            // A login for Digest or NTLM is in the options and has no field.
            request.headers.fields.removeAll { $0.isNamed("Authorization") }
            request.headers.fields += first.request.headers.fields.filter { $0.isNamed("Authorization") }
        }
        try prepared.replace(with: request)
        return prepared
    }
}
