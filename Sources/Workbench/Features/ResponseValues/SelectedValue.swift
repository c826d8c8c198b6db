internal import BodyViews
internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// What the cursor of the response pane is on: a value of the JSON body, a header field, or the status.
struct SelectedValue {
    let endpoint: Endpoint
    /// Its place as `capture:` has it: a JSON path, `header NAME` or `status`.
    let path: String
    /// The value; nil for one that is too large to be read here.
    let value: JSONValue?

    /// The largest value that is read, in bytes.
    private static let limit = 64 << 10

    /// Creates the value at the cursor.
    ///
    /// - Throws: The reason why there is none.
    init(_ state: AppState) throws(FormProblem) {
        guard let endpoint = state.openEndpoint, state.responses.past == nil, let call = state.openCall, let response = call.exchange?.response else {
            throw FormProblem(
                state.responses.past == nil
                    ? "There is no response; \(state.key(.send)) sends the request" : "The response is from the history; send its endpoint first")
        }
        guard state.requestChange(since: call)?.isOtherRequest != true else {
            throw FormProblem("The response is that of another request; \(state.key(.send)) sends this one")
        }
        self.endpoint = endpoint
        switch state.responseState.tab {
        case .headers:
            let lines = ResponseLines(state).lines
            let line = state.responseState.line
            guard lines.indices.contains(line), let path = lines[line].capturePath else {
                throw FormProblem("Select the status or a header of the response first")
            }
            self.path = path
            value = path == "status" ? .integer(response.status) : response.headers[String(path.dropFirst("header ".count))].map { .string($0) }
        case .body:
            guard state.shownTable == nil else {
                throw FormProblem("In a table no single value is selected; \(state.key(.toggleTable)) shows the tree")
            }
            guard state.responseState.filter?.results == nil else {
                throw FormProblem("The paths of results are not those of the body; \(state.key(.back)) shows the whole body")
            }
            guard let body = state.openBody, case .value(let place)? = ResponseFeature.place(state) else {
                throw FormProblem("Only values of formatted JSON have a path; the Headers tab has the status and the headers")
            }
            guard place.valueNumber == nil else { throw FormProblem("The body has several JSON values, and a path leads into a single one") }
            if BodyPlace.value(place).isWhole {
                (path, value) = ("status", .integer(response.status))
                return
            }
            path = "\(place.path)"
            guard let text = body.sourceText(of: .value(place), limit: Self.limit) else {
                value = nil
                return
            }
            do throws(BodyProblem) { value = try JSONValue(parsing: text) } catch { throw FormProblem("The value is not valid JSON: \(error)") }
        case .cookies, .timing, .trace, .value, .checks:
            throw FormProblem("The tabs Body and Headers have the values that can be captured and expected")
        }
    }

    /// Whether the value is masked, because the response was read from the history.
    static func isMasked(_ state: AppState) -> Bool { state.openCall.map { state.lastResponse($0) != nil } ?? false }

    /// The text that a template gets; nil for a value that is too large.
    var text: String? { value?.plainText }

    /// The proposed name of a capture: that of an earlier capture of the same value, else the last name of the path.
    var name: String {
        endpoint.captures.first { $0.path == path }?.name ?? Capture(ofPath: path, besides: endpoint.captures).name
    }
}
