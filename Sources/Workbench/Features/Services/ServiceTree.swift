internal import SortieHTTP
internal import WorkspaceModel

/// Lays out a workspace as rows.
struct ServiceTree {
    var workspace: Workspace
    var folded: Set<TreeRow.Kind>
    var filter: String

    var rows: [TreeRow] {
        let filter = TreeFilter(filter)
        guard filter.isEmpty else { return found(by: filter) }
        var rows: [TreeRow] = []
        for service in workspace.services { append(service, to: &rows) }
        let runs = self.runs.sorted { $0.kind.name < $1.kind.name }
        if !runs.isEmpty {
            let isFolded = folded.contains(.runs)
            rows.append(TreeRow(kind: .runs, depth: 0, name: "Runs", isFolded: isFolded))
            if !isFolded { rows += runs }
        }
        return rows
    }

    // MARK: With a filter

    /// The matching items below their services and without folders, the best match and its service first.
    private func found(by filter: TreeFilter) -> [TreeRow] {
        var services: [(best: Int, rows: [TreeRow])] = []
        for service in workspace.services {
            let endpoints = found(by: filter, in: service)
            guard let best = endpoints.first else { continue }
            services.append((best.score, [row(of: service, isFolded: false)] + endpoints.map(\.row)))
        }
        let rows = sorted(services, by: \.best).flatMap(\.rows)
        let runs = self.runs.compactMap { row in filter.match(name: row.kind.name).map { (score: $0.score, row: marked(row, $0)) } }
        return runs.isEmpty ? rows : rows + [TreeRow(kind: .runs, depth: 0, name: "Runs", isFolded: false)] + sorted(runs, by: \.score).map(\.row)
    }

    /// The matching endpoints of a service, the best first; all of a service that matches by its name.
    private func found(by filter: TreeFilter, in service: Service) -> [(score: Int, row: TreeRow)] {
        let isService = filter.isIn(service.name)
        let usable = service.endpoints.compactMap { endpoint -> (score: Int, row: TreeRow)? in
            let match = filter.match(endpoint, tags: workspace.tags(of: endpoint))
            guard isService || match != nil else { return nil }
            return (match?.score ?? 0, marked(row(of: endpoint), match))
        }
        let others = unreadable(in: service).compactMap { row -> (score: Int, row: TreeRow)? in
            let match = filter.match(name: row.kind.name)
            guard isService || match != nil else { return nil }
            return (match?.score ?? 0, marked(row, nil))
        }
        return sorted(usable + others, by: \.score)
    }

    /// A row of the result of a filter.
    private func marked(_ row: TreeRow, _ match: TreeFilter.Match?) -> TreeRow {
        var row = row
        row.depth = 1
        row.letters = match?.letters ?? []
        row.note = match?.reason ?? ""
        return row
    }

    /// The items with the highest number first, otherwise in their order.
    private func sorted<Item>(_ items: [Item], by score: (Item) -> Int) -> [Item] {
        items.enumerated().sorted { (score($0.element), $1.offset) > (score($1.element), $0.offset) }.map(\.element)
    }

    // MARK: Rows

    private func row(of service: Service, isFolded: Bool) -> TreeRow {
        let isUnreadable = workspace.problem(of: .service(service.folder)) != nil
        var row = TreeRow(kind: .service(service.folder), depth: 0, name: service.name, isUnreadable: isUnreadable, isFolded: isFolded)
        row.file = service.location?.file
        if Self.letters(of: service.name) != Self.letters(of: service.folder) { row.note = service.folder }
        return row
    }

    /// The letters and digits of a name, by which a name for display is compared with that of a folder.
    private static func letters(of name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

    private func row(of endpoint: Endpoint) -> TreeRow {
        var row = TreeRow(kind: .endpoint(endpoint.id), depth: 0, name: endpoint.name, method: endpoint.shownMethod)
        row.file = endpoint.location?.file
        return row
    }

    /// The runs, including those whose files are unreadable.
    private var runs: [TreeRow] {
        let usable = workspace.runs.map { run in
            var row = TreeRow(kind: .run(run.name), depth: 1, name: "\(run.name) (\(run.kind.rawValue))")
            row.file = run.location?.file
            row.isUnreadable = workspace.problem(of: .run(run.name)) != nil
            return row
        }
        let others = workspace.unreadable.compactMap { file -> TreeRow? in
            guard case .run(let name) = file.content else { return nil }
            return TreeRow(kind: .run(name), depth: 1, name: name, isUnreadable: true, file: file.file)
        }
        return usable + others
    }

    /// The endpoints of a service whose files are unreadable.
    private func unreadable(in service: Service) -> [TreeRow] {
        workspace.unreadable.compactMap { file -> TreeRow? in
            guard case .endpoint(let id) = file.content, id.path.hasPrefix(service.folder + "/") else { return nil }
            return TreeRow(kind: .endpoint(id), depth: 0, name: FilePath.name(of: id.path), isUnreadable: true, file: file.file)
        }
    }

    /// The endpoints of a service in its order, including those whose files are unreadable.
    private func endpoints(of service: Service) -> [TreeRow] {
        let usable = service.endpoints.map { row(of: $0) }
        let others = unreadable(in: service)
        return others.isEmpty ? usable : service.sorted(usable + others, by: \.kind.name)
    }

    private func append(_ service: Service, to rows: inout [TreeRow]) {
        let isServiceFolded = folded.contains(.service(service.folder))
        rows.append(row(of: service, isFolded: isServiceFolded))
        guard !isServiceFolded else { return }
        var path: [Substring] = []
        for endpoint in endpoints(of: service) {
            let folders = FilePath.components(of: endpoint.kind.name).dropFirst().dropLast()
            let shared = zip(path, folders).prefix { $0 == $1 }.count
            path = Array(folders)
            var isHidden = false
            for depth in folders.indices {
                let level = depth - folders.startIndex
                let group = TreeRow.Kind.group(([Substring(service.folder)] + folders[...depth]).joined(separator: "/"))
                let isGroupFolded = folded.contains(group)
                if level >= shared, !isHidden {
                    rows.append(TreeRow(kind: group, depth: level + 1, name: String(folders[depth]), isFolded: isGroupFolded))
                }
                isHidden = isHidden || isGroupFolded
            }
            if !isHidden {
                var row = endpoint
                row.depth = folders.count + 1
                rows.append(row)
            }
        }
    }
}

/// The filter of Services: words that all have to match an endpoint by its name, its path, its method, its kind or a tag.
///
/// A word that begins with `#` only matches tags.
struct TreeFilter: Hashable, Sendable {
    /// How an endpoint or a run matches.
    struct Match: Hashable, Sendable {
        /// Higher is better.
        var score = 0
        /// The indices of the matched characters of the name.
        var letters: Set<Int> = []
        /// The path or the tag that matches instead of the name; empty for none.
        var reason = ""
    }

    /// The words in lower case.
    private let words: [String]

    init(_ text: String) { words = text.lowercased().split(separator: " ").map(String.init) }

    /// Whether everything matches.
    var isEmpty: Bool { words.isEmpty }

    /// How an endpoint matches; nil when it does not.
    func match(_ endpoint: Endpoint, tags: [String]) -> Match? {
        let path = FilePath.components(of: endpoint.target).dropFirst().joined(separator: "/")
        return combined { word in
            if word.first == "#" { return Self.match(tag: word.dropFirst(), tags) }
            let byName = Self.match(word, name: endpoint.name)
            if let byName, byName.score >= Rank.startOfName { return byName }
            let isMethod = Self.kinds(of: endpoint).contains { $0.hasPrefix(word) }
            let others = [
                Self.match(tag: word[...], tags), byName, isMethod ? Match(score: Rank.method) : nil,
                Self.match(word, path: path, endpoint.target),
            ]
            return others.compactMap(\.self).max { $0.score < $1.score }
        }
    }

    /// How a run, or an endpoint whose file cannot be read, matches by its name.
    func match(name: String) -> Match? { combined { Self.match($0, name: name) } }

    /// Whether the name of a service has all words.
    func isIn(_ service: String) -> Bool {
        let name = service.lowercased()
        return words.allSatisfy { name.contains($0) }
    }

    /// The ranks of matches; abbreviations have up to 400 points more.
    private enum Rank {
        static let (path, pathAbbreviation, nameAbbreviation, method, tag) = (3000, 1000, 2000, 3500, 5000)
        static let (partOfName, startOfWord, file, startOfName, name) = (4000, 6000, 6500, 7000, 8000)
    }

    private func combined(_ match: (String) -> Match?) -> Match? {
        var result = Match()
        for word in words {
            guard let found = match(word) else { return nil }
            result.score += found.score
            result.letters.formUnion(found.letters)
            if result.reason.isEmpty { result.reason = found.reason }
        }
        return result
    }

    /// The method, the name in its place, and the kind of a request, in lower case.
    private static func kinds(of endpoint: Endpoint) -> [String] {
        let kind = endpoint.body.isGraphQL ? "graphql" : endpoint.opensWebSocket ? "websocket" : endpoint.kind == .data ? "" : endpoint.kind.rawValue
        return [endpoint.method.rawValue, endpoint.shownMethod.rawValue, kind].map { $0.lowercased() }
    }

    private static func match(_ word: String, name: String) -> Match? {
        let characters = name.map { $0.lowercased() }
        let letters = word.map(String.init)
        if let start = start(of: letters, in: characters) {
            let isWordStart = start == 0 || !(characters[start - 1].first?.isWordCharacter ?? false)
            let ranks = [(letters.count == characters.count, Rank.name), (start == 0, Rank.startOfName), (isWordStart, Rank.startOfWord)]
            let rank = ranks.first { $0.0 }?.1 ?? Rank.partOfName
            return Match(score: rank, letters: Set(start..<start + letters.count))
        }
        return FuzzyMatch.abbreviation(word, of: name).map { Match(score: Rank.nameAbbreviation + $0.score, letters: Set($0.letters)) }
    }

    private static func match(_ word: String, path: String, _ target: String) -> Match? {
        if FilePath.name(of: path).lowercased() == word { return Match(score: Rank.file, reason: path) }
        // The folder of the service is above the endpoint, so that it needs no note.
        if target.lowercased().contains(word) { return Match(score: Rank.path, reason: path.lowercased().contains(word) ? path : "") }
        return FuzzyMatch.abbreviation(word, of: target).map { Match(score: Rank.pathAbbreviation + $0.score, reason: path) }
    }

    private static func match(tag word: Substring, _ tags: [String]) -> Match? {
        let found = tags.filter { $0.lowercased().hasPrefix(word) }.min { $0.count < $1.count }
        return found.map { Match(score: $0.count == word.count ? Rank.tag : Rank.tag - 1500, reason: "#" + $0) }
    }

    /// The index of the first occurrence at the start of a word, else anywhere.
    private static func start(of letters: [String], in characters: [String]) -> Int? {
        guard letters.count <= characters.count else { return nil }
        let starts = (0...characters.count - letters.count).filter { start in letters.indices.allSatisfy { characters[start + $0] == letters[$0] } }
        return starts.first { $0 == 0 || !(characters[$0 - 1].first?.isWordCharacter ?? false) } ?? starts.first
    }
}
