internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// Where a key of an endpoint's file is edited.
enum EndpointProperty: Hashable, Sendable {
    /// The path, in the request line.
    case url
    /// The method, in the request line.
    case method
    /// Rows or choices on a tab.
    case tab(RequestTab)
    /// A row of the Options tab.
    case option(OptionRow)
    /// A text on the Rules tab.
    case section(EndpointSection)

    /// The place of a key; nil for a key that cannot be edited.
    init?(key: String) {
        let option = OptionRow.allCases.first { if case .key(let scalar) = $0 { scalar.name == key } else { false } }
        guard let place = EndpointSection(rawValue: key).map(Self.section) ?? Self.places[key] ?? option.map(Self.option) else { return nil }
        self = place
    }

    private static let places: [String: EndpointProperty] = [
        "path": .url, "method": .method, "query": .tab(.params), "headers": .tab(.headers), "auth": .tab(.auth), "body": .tab(.body),
        "name": .option(.name), "tags": .option(.tags), "timeout": .option(.total), "excludeNetworks": .option(.networks),
    ]
}

/// What is known about an endpoint, for rows that are free: its description, tags and URL, and its recent exchanges.
struct EndpointFacts {
    /// The free rows from which the facts are shown.
    static let leastHeight = 6

    private let state: AppState
    private let endpoint: Endpoint

    init(_ state: AppState, _ endpoint: Endpoint) {
        self.state = state
        self.endpoint = endpoint
    }

    /// The facts below the tree of Services, with a heading: also the description where Request has no room for all of it.
    func linesWithHeading(width: Int, height: Int) -> [[Span]] {
        guard width >= 12, height >= 2 else { return [] }
        let list = RequestView.listRect(state.layout)
        // The rows of a large body are made only for a description.
        let isInRequest = endpoint.summary.map { summary in
            WrappedText.lines(summary, width: list.width).count <= list.height - max(1, RequestFeature.rows(state).count)
        }
        let lines = lines(width: width, height: height - 1, withDescription: isInRequest == false)
        guard !lines.isEmpty else { return [] }
        let title = CellWidth.truncated(endpoint.name, to: width - 4)
        let line = String(repeating: "─", count: max(0, width - CellWidth.width(of: title) - 3))
        return [[Span("─ ", .border), Span(title, .muted), Span(" " + line, .border)]] + lines
    }

    /// The facts, the most useful ones where not all fit.
    func lines(width: Int, height: Int, withDescription: Bool = false) -> [[Span]] {
        guard width >= 12, height >= 1 else { return [] }
        var lines: [[Span]] = []
        let tags = state.workspace.tags(of: endpoint)
        if !tags.isEmpty { lines += wrapped(tags.map { "#" + $0 }.joined(separator: " "), .accent, width, most: 2) }
        if withDescription, let summary = endpoint.summary { lines += wrapped(summary, .muted, width, most: max(3, height / 2)) }
        let url = RequestPreview(state, endpoint)
        // A short URL is completely in the request line.
        let isCut = CellWidth.width(of: url.text) > state.layout.request.width - 6 - CellWidth.width(of: endpoint.shownMethod.rawValue)
        if url.problem == nil, isCut { lines += wrapped(url.text, .text, width, most: 4) }
        lines += exchanges(most: max(0, min(8, height - lines.count)))
        return Array(lines.prefix(height))
    }

    private func wrapped(_ text: String, _ style: Style, _ width: Int, most: Int) -> [[Span]] {
        var lines = WrappedText.lines(text, width: width)
        if lines.count > most {
            lines = Array(lines[..<most])
            lines[most - 1] = CellWidth.truncated(lines[most - 1] + " …", to: width)
        }
        return lines.map { [Span($0, style)] }
    }

    /// The latest exchanges of this session, the newest first, each with its time as in the log.
    private func exchanges(most: Int) -> [[Span]] {
        let calls = state.log.items.reversed().lazy.compactMap(\.call).filter { $0.target == endpoint.target && $0.state != .running }
        return calls.prefix(most).map { call in
            [
                Span(call.time.map(state.startMoment.clock) ?? "–", .muted), Span("  "), Self.outcome(of: call),
                Span("  " + NumberText.seconds(call.duration), .muted),
            ]
        }
    }

    private static func outcome(of call: LoggedCall) -> Span {
        switch call.state {
        case .running: Span("in flight", .accent)
        case .answered(let status, let grpc, _, _): StatusText.span(status, grpc: grpc)
        case .failed(let word): Span(word, .error)
        case .cancelled: Span("cancelled", .muted)
        }
    }
}
