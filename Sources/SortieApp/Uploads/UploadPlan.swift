internal import Foundation
internal import SortieHTTP
internal import SortieNetworking
internal import SortieStorage
internal import WorkspaceModel

/// The requests of `sortie upload`: one for each file, or one for all files.
struct UploadPlan {
    /// The way in which files are put into requests.
    private enum Shape {
        /// The body of the endpoint, unchanged.
        case unchanged
        /// One request for each file, with the file as its body.
        case raw
        /// One multipart body with all files as parts of this name.
        case parts(name: String)
    }

    private let files: [String]
    private let options: UploadOptions
    private let parts: RequestPartOptions
    private var shape = Shape.unchanged

    /// Creates a plan for files as named on the command line; `-` is standard input.
    init(files: [String], options: UploadOptions, parts: RequestPartOptions) throws {
        (self.files, self.options, self.parts) = (files, options, parts)
        try options.check()
        guard files.count(where: { $0 == Self.input }) <= 1 else {
            throw CommandFailure(.usage, "standard input can be sent once: give only one -")
        }
        guard !files.isEmpty || !options.deletesConfirmed else {
            throw CommandFailure(.usage, "--delete-confirmed deletes only files of the command line", hint: "name the files after the target")
        }
        guard files.isEmpty || parts.data.isEmpty && parts.jsonBody.isEmpty && parts.form.isEmpty else {
            throw CommandFailure(
                .usage, "the files are the body: -d, --json-body and --form cannot be combined with them",
                hint: "-F name=value adds fields beside the files")
        }
    }

    private static let input = "-"

    // MARK: The endpoint

    /// Prepares the endpoint for the files: its body is replaced, but the fields of a multipart body stay.
    mutating func edit(_ endpoint: inout Endpoint) throws {
        guard !files.isEmpty else {
            guard endpoint.body != .none else {
                throw CommandFailure(.usage, "there is nothing to upload", hint: "name the files after the target; - is standard input")
            }
            return
        }
        let isUnspecific = endpoint.method == .get && parts.method == nil
        if case .multipart(var rows) = endpoint.body {
            var name = options.field
            if parts.multipart.isEmpty {
                name = name ?? rows.first { $0.isFile }?.name
                rows.removeAll { $0.isFile }
            }
            endpoint.body = .multipart(rows)
            shape = .parts(name: name ?? "file")
        } else if let field = options.field {
            endpoint.body = .multipart([])
            shape = .parts(name: field)
        } else {
            endpoint.body = .none
            shape = .raw
        }
        guard isUnspecific else { return }
        if case .raw = shape { endpoint.method = .put } else { endpoint.method = .post }
    }

    // MARK: The requests

    /// The requests, in the order of the files.
    func items(of prepared: PreparedRequest, in program: ProgramContext) throws -> [UploadItem] {
        var prepared = prepared
        var request = prepared.request
        if let rate = options.limitRate { request.options.maximumUploadRate = try ByteCount(rate: rate).bytes }
        try prepared.replace(with: request)
        let items: [UploadItem]
        switch shape {
        case .unchanged: items = [UploadItem(name: "the body", file: nil, prepared: prepared, count: nil)]
        case .raw: items = try rawItems(of: prepared, in: program)
        case .parts(let name): items = [try item(of: prepared, part: name, in: program)]
        }
        // Checks all files before the first request is sent.
        for item in items {
            do { try item.prepared.request.checkFiles() } catch { throw CommandFailure(error) }
            if options.deletesConfirmed,
                let other = item.prepared.request.body.files.first(where: { !files.map({ Self.path(of: $0, in: program) }).contains($0) })
            {
                throw CommandFailure(
                    .usage, "--delete-confirmed would also delete \(other), which is not one of the named files",
                    hint: "send that file without the option")
            }
        }
        return items
    }

    private func rawItems(of prepared: PreparedRequest, in program: ProgramContext) throws -> [UploadItem] {
        let request = prepared.request
        let namesFile = request.method == .put && FilePath.namesFolder(request.url.path)
        guard files.count == 1 || namesFile || request.method != .put else {
            throw CommandFailure(
                .usage, "\(files.count) files would be uploaded to the same URL",
                hint: "end the URL with / so that each gets its own name, or use --field")
        }
        return try files.map { file in
            var (prepared, request) = (prepared, request)
            let path = Self.path(of: file, in: program)
            if namesFile {
                guard file != Self.input else {
                    throw CommandFailure(.usage, "standard input has no file name", hint: "write the whole URL")
                }
                request.url.path += PercentEncoding.encode(FilePath.name(of: path), allowed: .unreserved)
            }
            request.body = .file(path: path, contentType: Self.type(of: file))
            try prepared.replace(with: request)
            return UploadItem(name: file, file: path, prepared: prepared, count: Request.length(ofFile: path))
        }
    }

    private func item(of prepared: PreparedRequest, part name: String, in program: ProgramContext) throws -> UploadItem {
        var prepared = prepared
        var request = prepared.request
        guard case .multipart(var parts) = request.body else { throw CommandFailure(.usage, "the body has no parts") }
        parts += files.map { file in
            RequestBody.Part(
                name: name, content: .file(path: Self.path(of: file, in: program)), fileName: file == Self.input ? "-" : FilePath.name(of: file),
                contentType: Self.type(of: file))
        }
        request.body = .multipart(parts)
        try prepared.replace(with: request)
        let name = files.count == 1 ? files[0] : "\(files.count) files"
        return UploadItem(name: name, file: files.count == 1 ? Self.path(of: files[0], in: program) : nil, prepared: prepared, count: nil)
    }

    private static func path(of file: String, in program: ProgramContext) -> String {
        file == input ? Request.standardInput : FilePath.joining(program.folders.current, file)
    }

    private static func type(of file: String) -> String { file == input ? MediaType.octetStream : MediaType.forFile(named: file) }
}

/// A request of an upload.
struct UploadItem: Sendable {
    /// The file as named on the command line; for several files in one body, their number.
    let name: String
    /// The path of the file; nil when the body has several files.
    let file: String?
    let prepared: PreparedRequest
    /// The size of the body in bytes; nil when unknown.
    let count: Int64?
}
