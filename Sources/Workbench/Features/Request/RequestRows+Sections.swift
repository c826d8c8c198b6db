internal import WorkspaceModel

/// The rows of the Rules tab: each section with its text.
extension RequestRows {
    var sectionRows: [RequestRow] {
        guard let sections else { return [] }
        return EndpointSection.allCases.flatMap { section -> [RequestRow] in
            let text = sections.text(of: section, in: endpoint)
            let problem = endpoint.unreadableSections[section].flatMap { sections.problem(of: $0, as: section) }?.place ?? ""
            let heading = RequestRow(
                kind: .section(section), name: section.rawValue + ":", value: text.isEmpty ? "none" : "", summary: section.summary,
                problem: problem, isTakenOver: text.isEmpty)
            guard !text.isEmpty else { return [heading] }
            let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            return [heading] + lines.enumerated().map { RequestRow(kind: .sectionLine(section, $0), value: String($1)) }
        }
    }
}

extension EndpointSection {
    /// The purpose of the section.
    var summary: String {
        switch self {
        case .description: "what the request is for, displayed in Request and Services"
        case .expect: "what the response must be, for tests"
        case .answer: "which responses are accepted, and the format of the body"
        case .capture: "values of the response for later steps of a run"
        case .reform: "names for values of the response, which make its result"
        case .page: "how the pages of a list are found"
        case .parameters: "the notation of parameters, and rules for them"
        case .variables: "variables of the endpoint"
        case .cache: "how long a response is used again"
        case .retry: "how often a failed request is sent again"
        case .download: "the file of a download, its digest and its rate"
        case .plugins: "plugins in addition to those of the service"
        case .messages: "messages to send over a WebSocket connection, by name"
        case .grpc: "the gRPC method, and the file that describes it"
        case .hooks: "programs that change requests and check responses"
        }
    }
}
