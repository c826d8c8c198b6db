internal import BodyViews
internal import HistoryModel
internal import SortieBase

extension ExchangeComparison {
    /// The comparison as JSON, for `history diff --json`.
    var record: JSONValue {
        [
            // The result is unknown when a body is missing.
            "equal": isUnknown ? .null : .bool(areEqual), "left": left.record, "right": right.record, "facts": .array(facts.map(\.record)),
            "headers": .array(headers.map(\.record)), "body": body.record,
            "request": [
                "same": .bool(request.isSame), "facts": .array(request.facts.map(\.record)), "headers": .array(request.headers.map(\.record)),
                "body": request.body.record,
            ],
        ]
    }
}

extension ExchangeComparison.Fact {
    fileprivate var record: JSONValue {
        [
            "name": .string(name), "left": .optional(left), "right": .optional(right), "different": .bool(isDifferent), "counts": .bool(counts),
        ]
    }
}

extension HeaderDifference {
    fileprivate var record: JSONValue {
        [
            "name": .string(name), "change": .string(change.rawValue), "left": .array(left.map { .string($0) }),
            "right": .array(right.map { .string($0) }), "counts": .bool(counts),
        ]
    }
}

extension BodyComparison {
    fileprivate var record: JSONValue {
        [
            "form": .string(form.rawValue), "different": isUnknown ? .null : .bool(isDifferent), "changes": .array(changes.map(\.record)),
            "removedLines": .integer(removedCount), "addedLines": .integer(addedCount), "lines": .array(lines.map(\.record)),
            "notes": .array(notes.map { .string($0) }),
        ]
    }
}

extension BodyComparison.Change {
    /// The change without the key of a missing side, because the value of an existing one may be null.
    fileprivate var record: JSONValue {
        var members = [JSONValue.Member("path", .string(path.description))]
        if let left { members.append(.init("left", left)) }
        if let right { members.append(.init("right", right)) }
        return .object(members)
    }
}

extension BodyComparison.Line {
    fileprivate var record: JSONValue {
        switch kind {
        case .folded(let count): ["kind": "folded", "count": .integer(count)]
        case .same: record("same")
        case .removed: record("removed")
        case .added: record("added")
        case .ignored: record("ignored")
        }
    }

    private func record(_ kind: String) -> JSONValue {
        var members: [JSONValue.Member] = [.init("kind", .string(kind)), .init("text", .string(text))]
        if let path { members.append(.init("path", .string(path.description))) }
        if let leftNumber { members.append(.init("leftLine", .integer(leftNumber))) }
        if let rightNumber { members.append(.init("rightLine", .integer(rightNumber))) }
        return .object(members)
    }
}
