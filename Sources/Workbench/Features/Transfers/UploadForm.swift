internal import WorkspaceModel

/// The form that starts an upload with its own rate.
extension TransfersFeature {
    /// Opens the form for an upload of the open endpoint, with the rate of its file.
    static func askForUpload(_ state: inout AppState) {
        guard let endpoint = state.openEndpoint else { return }
        state.stopEditing()
        let rows = [Form.Row.rate(endpoint.uploadRate)]
        state.popups.push(
            Form("Upload \(endpoint.name)", rows) { (form, state) throws(FormProblem) in
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
