internal import SortieHTTP
internal import WorkspaceModel

/// The form that starts a download with its own options.
extension TransfersFeature {
    /// Opens the form for a download of the open endpoint, with the options of its file.
    static func askForDownload(_ state: inout AppState) {
        guard let endpoint = state.openEndpoint else { return }
        state.stopEditing()
        let settings = endpoint.download
        let rows = [
            Form.Row(Label.place, destination(of: endpoint, state), placeholder: "a file, or a folder that ends with /"),
            Form.Row.rate(settings?.rateLimit),
            Form.Row(Label.segments, "\(settings?.connections ?? 1)", of: (1...Download.mostConnections).map { "\($0)" }),
            Form.Row(Label.digest, settings?.digest?.hexadecimal ?? "", placeholder: "not compared; 64 hexadecimal digits"),
            Form.Row(Label.collision, (settings?.collision ?? .keepBoth).rawValue, of: Download.Collision.allCases.map(\.rawValue)),
        ]
        state.popups.push(
            Form("Download \(endpoint.name)", rows, guide: "transfers#downloads") { (form, state) throws(FormProblem) in
                guard var endpoint = state.endpoint(endpoint.id) else {
                    throw FormProblem("The workspace no longer has this endpoint; close the form")
                }
                let place = form.text(Label.place).trimmingBlanks
                guard !place.isEmpty else { throw FormProblem("Write a file, or a folder that ends with /", at: Label.place) }
                endpoint.download = try options(form, endpoint.download ?? DownloadSettings())
                state.popups.pop()
                let destination = state.folders.path(place, from: state.folders.current)
                return Prompts.ask(for: endpoint, &state) { enqueue($0, to: destination, &$1) }
            })
    }

    private enum Label {
        static let place = "save to"
        static let segments = "connections"
        static let digest = "SHA-256"
        static let collision = "if it exists"
    }

    private static func options(_ form: Form, _ before: DownloadSettings) throws(FormProblem) -> DownloadSettings {
        var settings = before
        settings.rateLimit = try form.rate()
        settings.connections = Int(form.text(Label.segments))
        // Digests are often copied with the name of the algorithm, of the file, or in groups.
        let text = form.text(Label.digest).trimmingBlanks
        let digits = text.lowercased().hasPrefix("sha256:") ? String(text.dropFirst(7)) : text
        let digest = digits.prefix { $0 != " " }
        settings.digest = digest.isEmpty ? nil : FileDigest(hexadecimal: String(digest))
        if !digest.isEmpty, settings.digest == nil {
            throw FormProblem("A SHA-256 has 64 hexadecimal digits; this has \(digest.count) characters", at: Label.digest)
        }
        settings.collision = Download.Collision(rawValue: form.text(Label.collision))
        return settings
    }
}

extension DownloadSettings {
    /// The options that differ from the defaults, for the list of transfers.
    var optionText: String {
        var words: [String] = []
        if let rateLimit { words.append("at most \(ByteText.rate(Double(rateLimit)))") }
        if let connections, connections > 1 { words.append("\(connections) connections") }
        if digest != nil { words.append("with SHA-256") }
        return words.joined(separator: ", ")
    }
}

/// The form that starts an upload with its own rate.
extension TransfersFeature {
    /// Opens the form for an upload of the open endpoint, with the rate of its file.
    static func askForUpload(_ state: inout AppState) {
        guard let endpoint = state.openEndpoint else { return }
        state.stopEditing()
        let rows = [Form.Row.rate(endpoint.uploadRate)]
        state.popups.push(
            Form("Upload \(endpoint.name)", rows, guide: "transfers#uploads") { (form, state) throws(FormProblem) in
                guard var endpoint = state.endpoint(endpoint.id) else {
                    throw FormProblem("The workspace no longer has this endpoint; close the form")
                }
                endpoint.uploadRate = try form.rate()
                state.popups.pop()
                return Prompts.ask(for: endpoint, &state) { enqueue($0, to: nil, &$1) }
            })
    }
}

extension Form.Row {
    /// The name of the row for the rate of a transfer.
    fileprivate static let rateLabel = "limit rate"

    /// The row for the rate of a transfer.
    static func rate(_ rate: Int64?) -> Form.Row {
        Form.Row(rateLabel, rate.map { RateText.text($0) } ?? "", placeholder: "no limit; such as 2MB a second")
    }
}

extension Form {
    /// The rate of the transfer; nil for no limit.
    func rate() throws(FormProblem) -> Int64? {
        let text = text(Row.rateLabel).trimmingBlanks
        guard !text.isEmpty else { return nil }
        guard let rate = RateText.rate(text) else {
            throw FormProblem("“\(text)” is not a number of bytes a second: write 2MB, 500kB, or nothing", at: Row.rateLabel)
        }
        return rate
    }
}
