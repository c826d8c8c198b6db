internal import HistoryModel
internal import SortieHTTP
internal import WorkspaceModel

/// The masked parts of a request or of an endpoint, as they are stored: `path`, `query 0`, `header 2`, `variable token`.
///
/// Only this type interprets the text of a mask, where the stored names cannot be read.
enum StoredMasks {
    static func names(of parts: Set<MaskedPart>) -> [String]? { parts.isEmpty ? nil : parts.map(name).sorted() }

    /// The parts with these names; nil where one is unknown.
    static func parts(named names: [String]?) -> Set<MaskedPart>? {
        let parts = (names ?? []).map(part)
        return parts.contains(nil) ? nil : Set(parts.compactMap { $0 })
    }

    /// The parts of a request that contain the text of a mask.
    static func parts(searching request: Request) -> Set<MaskedPart> {
        let mask = Array(HeaderField.mask.utf8)
        return Set(request.maskableParts.filter { $0.value.contains { $0.firstRange(of: mask) != nil } }.keys)
    }

    /// The parts of an endpoint that contain the text of a mask.
    static func parts(searching endpoint: Endpoint) -> Set<MaskedPart> {
        Set(endpoint.maskableParts.filter { $0.value.contains { $0.contains(HeaderField.mask) } }.keys)
    }

    private static func name(of part: MaskedPart) -> String {
        switch part {
        case .name: "name"
        case .summary: "summary"
        case .path: "path"
        case .query(let index): "query \(index)"
        case .header(let index): "header \(index)"
        case .auth: "auth"
        case .body: "body"
        case .bodyPart(let index): "part \(index)"
        case .variable(let name): "variable \(name)"
        case .expectation: "expectation"
        case .shape: "shape"
        case .destination: "destination"
        }
    }

    private static func part(named name: String) -> MaskedPart? {
        let words = name.split(separator: " ", maxSplits: 1)
        guard words.count == 2 else {
            let plain: [MaskedPart] = [.name, .summary, .path, .auth, .body, .expectation, .shape, .destination]
            return plain.first { self.name(of: $0) == name }
        }
        if words[0] == "variable" { return .variable(String(words[1])) }
        guard let index = Int(words[1]) else { return nil }
        return [.query(index), .header(index), .bodyPart(index)].first { self.name(of: $0) == name }
    }
}
