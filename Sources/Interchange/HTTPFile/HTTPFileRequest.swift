internal import SortieBase

/// A request of a `.http` file as it is written.
struct HTTPFileRequest {
    /// A line with its number.
    struct Line {
        var text: String
        var number: Int
    }

    /// A name and a value: a field, a directive, a variable.
    struct Pair {
        var name: String
        var value: String
        var place: SourceLocation
        /// Whether the row is sent; false for a field in a comment.
        var isEnabled = true
    }

    /// A text that is kept as a note, with the kind that the report names.
    struct Note {
        var kind: String
        var text: String
        var place: SourceLocation
    }

    /// The text after `###`.
    var title: String?
    /// The comments before the request line.
    var comments: [String] = []
    /// `@name`-like directives.
    var directives: [Pair] = []
    /// The method as it is written; nil for none.
    var method: String?
    /// The URL with its continuation lines, without the version.
    var target = ""
    /// `1.1` of `HTTP/1.1`.
    var version: String?
    /// The place of the request line.
    var place: SourceLocation
    /// The last line of the request.
    var lastLine = 0
    var headers: [Pair] = []
    var body: [Line] = []
    /// Scripts, handlers and references.
    var notes: [Note] = []
    /// `??` lines of httpyac.
    var checks: [Pair] = []
    /// Variables that are defined by the response.
    var captures: [Pair] = []
    /// Variables that are defined before or in the request, in order.
    var variables: [Pair] = []
    /// Parts that are not understood.
    var problems: [ImportReport.Entry] = []

    /// The name by which other requests refer to this one.
    var name: String? { directives.last { $0.name == "name" }.map(\.value).flatMap { $0.isEmpty ? nil : $0 } }
}

/// The content of a `.http` file.
struct HTTPFileDocument {
    var requests: [HTTPFileRequest] = []
    /// Variables outside of requests and in requests, in the order of the file.
    var variables: [HTTPFileRequest.Pair] = []
    /// Checks that apply to every request.
    var checks: [HTTPFileRequest.Pair] = []
    /// What stands outside of requests and is not imported.
    var entries: [ImportReport.Entry] = []
}
