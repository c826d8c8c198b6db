internal import SortieBase

/// Changes an endpoint of 0.1.0, the synthesized JSON of a Swift type, to the form of ``StoredEndpoint``.
///
/// A value of another type than 0.1.0 wrote is copied to the text, so that reading it reports its key.
enum EndpointMigration {
    /// The endpoint as a ``StoredEndpoint``; anything but an object is copied.
    static func migrated(_ endpoint: JSONValue) -> JSONValue {
        guard case .object = endpoint else { return endpoint }
        let location = endpoint["location"]
        let members: [(String, JSONValue?)] = [
            ("target", endpoint["target"]), ("text", .string(YAMLText.block(text(endpoint), indentation: 0) + "\n")), ("file", location?["file"]),
            ("line", location?["line"]), ("column", location?["column"]),
        ]
        return .object(members.compactMap { key, value in value.map { JSONValue.Member(key, $0) } })
    }

    /// A record with the endpoint of `key` changed; anything but an object is copied.
    static func migrated(_ record: JSONValue, key: String) -> JSONValue {
        guard case .object(let members) = record else { return record }
        return .object(members.map { $0.key == key ? JSONValue.Member($0.key, migrated($0.value)) : $0 })
    }

    private static func text(_ endpoint: JSONValue) -> YAMLValue {
        .mapping(optional: [
            ("name", scalar(endpoint["name"])), ("description", scalar(endpoint["summary"])), ("method", scalar(endpoint["method"])),
            ("path", scalar(endpoint["path"])), ("query", rows(endpoint["query"])), ("headers", headers(endpoint)),
            ("auth", auth(endpoint["auth"])), ("body", body(endpoint["body"])), ("variables", variables(endpoint["variables"])),
            ("kind", scalar(endpoint["kind"])), ("download", members(endpoint["download"], ["to", "connections"])),
            ("timeout", timeouts(endpoint["timeouts"])), ("cache", duration(endpoint["cacheLifetime"])), ("retry", retry(endpoint["retry"])),
            ("priority", priority(endpoint["priority"])), ("traffic", scalar(endpoint["traffic"])), ("http", scalar(endpoint["version"])),
            ("redirects", scalar(endpoint["redirects"])), ("compression", scalar(endpoint["compression"])),
            ("cookies", scalar(endpoint["cookies"])), ("interface", scalar(endpoint["interface"])),
            ("page", members(endpoint["paging"], ["number", "size", "cursor", "next", "items", "total"])),
            ("expect", expectation(endpoint["expectation"])), ("capture", rows(endpoint["captures"], value: "path")),
            ("parameters", members(endpoint["parameters"], ["arrays", "booleans", "nulls", "charset"])), ("answer", answer(endpoint["answer"])),
            ("plugins", scalar(endpoint["pluginUse"])),
        ])
    }

    /// A scalar; a collection, which 0.1.0 did not write there, stays one.
    private static func scalar(_ value: JSONValue?) -> YAMLValue? {
        switch value {
        case nil, .null?: nil
        case .string(let text)?: .text(text)
        case .number(let text)?: .token(text)
        case .bool(let value)?: .token(value ? "true" : "false")
        case .array(let items)?: .sequence(items.compactMap { scalar($0) })
        case .object(let members)?: .mapping(members.compactMap { member in scalar(member.value).map { .init(member.key, $0) } })
        }
    }

    private static func members(_ value: JSONValue?, _ keys: [String]) -> YAMLValue? {
        guard case .object? = value else { return scalar(value) }
        return .mapping(optional: keys.map { ($0, scalar(value?[$0])) })
    }

    private static func rows(_ rows: JSONValue?, value key: String = "value") -> YAMLValue? {
        guard case .array(let items)? = rows else { return scalar(rows) }
        guard !items.isEmpty else { return nil }
        return .sequence(
            items.map { row in
                guard case .object = row else { return scalar(row) ?? .text("") }
                return .mapping(optional: [
                    ("name", scalar(row["name"])), ("value", scalar(row[key])), ("enabled", row["isEnabled"] == .bool(false) ? .token("false") : nil),
                    ("description", scalar(row["summary"])),
                ])
            })
    }

    private static func headers(_ endpoint: JSONValue) -> YAMLValue? {
        let sent = rows(endpoint["headers"])
        guard case .array(let removed)? = endpoint["removedHeaders"], !removed.isEmpty else { return sent }
        var items: [YAMLValue] = []
        if case .sequence(let rows)? = sent { items = rows }
        return .sequence(items + removed.map { .mapping(optional: [("name", scalar($0)), ("value", .token("null"))]) })
    }

    private static func variables(_ variables: JSONValue?) -> YAMLValue? {
        guard case .object(let members)? = variables else { return scalar(variables) }
        guard !members.isEmpty else { return nil }
        return .sequence(
            members.sorted { $0.key < $1.key }.map { .mapping(optional: [("name", .text($0.key)), ("value", scalar($0.value))]) })
    }

    /// The name of a case of an enumeration and its values.
    private static func choice(_ value: JSONValue?) -> (name: String, values: JSONValue)? {
        guard case .object(let members)? = value, members.count == 1 else { return nil }
        return (members[0].key, members[0].value)
    }

    private static func auth(_ auth: JSONValue?) -> YAMLValue? {
        switch choice(auth) {
        case ("inherit", _)?: nil
        case ("none", _)?: .text("none")
        case ("bearer", let values)?: .mapping(optional: [("bearer", scalar(values["token"]))])
        case (let scheme, let values)?: .mapping([.init(scheme, members(values, ["user", "password"]) ?? .text(""))])
        case nil: scalar(auth)
        }
    }

    private static func body(_ body: JSONValue?) -> YAMLValue? {
        guard let (kind, values) = choice(body) else { return scalar(body) }
        let first = values["_0"]
        let type = ("contentType", scalar(values["contentType"]))
        switch kind {
        case "none": return nil
        case "json":
            guard case .string(let text)? = first else { return .mapping([.init(kind, scalar(first) ?? .text(""))]) }
            return .mapping([.init(kind, .json(text))])
        case "form": return .mapping([.init(kind, rows(first) ?? .mapping([]))])
        case "text": return .mapping(optional: [(kind, scalar(first)), type])
        case "file": return .mapping(optional: [(kind, scalar(values["path"])), type])
        case "multipart": return .mapping([.init(kind, parts(first))])
        default: return .mapping([.init(kind, scalar(first) ?? .text(""))])
        }
    }

    private static func parts(_ parts: JSONValue?) -> YAMLValue {
        guard case .array(let items)? = parts else { return scalar(parts) ?? .text("") }
        return .sequence(
            items.map { part in
                .mapping(optional: [
                    ("name", scalar(part["name"])), (part["isFile"] == .bool(true) ? "file" : "value", scalar(part["value"])),
                    ("filename", scalar(part["fileName"])), ("type", scalar(part["contentType"])),
                    ("enabled", part["isEnabled"] == .bool(false) ? .token("false") : nil),
                ])
            })
    }

    /// A `Duration`, the two halves of its attoseconds.
    private static func duration(_ value: JSONValue?) -> YAMLValue? {
        guard case .array(let halves)? = value, halves.count == 2, case .number(let high) = halves[0], case .number(let low) = halves[1],
            let high = Int64(high), let low = UInt64(low)
        else { return scalar(value) }
        let attoseconds = Int128(high) << 64 | Int128(low)
        let second = Int128(1_000_000_000_000_000_000)
        guard let seconds = Int64(exactly: attoseconds / second) else { return scalar(value) }
        return .text(DurationText.text(Duration(secondsComponent: seconds, attosecondsComponent: Int64(attoseconds % second))))
    }

    /// In 0.1.0 a total of 60 s was the default, and no total meant no limit.
    private static func timeouts(_ timeouts: JSONValue?) -> YAMLValue? {
        guard case .object? = timeouts else { return scalar(timeouts) }
        let total = duration(timeouts?["total"]) ?? .text("none")
        let isDefault = timeouts?["isTotalExplicit"] == nil ? total == .text("60s") : timeouts?["isTotalExplicit"] == .bool(false)
        return .mapping(optional: [
            ("connect", duration(timeouts?["connect"])), ("idle", duration(timeouts?["idle"])), ("total", isDefault ? nil : total),
        ])
    }

    private static func retry(_ retry: JSONValue?) -> YAMLValue? {
        guard case .object? = retry else { return scalar(retry) }
        return .mapping(optional: [
            ("limit", scalar(retry?["limit"])), ("anyMethod", scalar(retry?["repeatsAnyMethod"])),
            ("parkWhenOffline", scalar(retry?["parksWhenOffline"])),
        ])
    }

    private static func priority(_ priority: JSONValue?) -> YAMLValue? {
        switch priority {
        case .number("0")?: .text("low")
        case .number("1")?: .text("normal")
        case .number("2")?: .text("high")
        default: scalar(priority)
        }
    }

    private static func expectation(_ expectation: JSONValue?) -> YAMLValue? {
        guard case .object? = expectation else { return scalar(expectation) }
        return .mapping(optional: [
            ("status", scalar(expectation?["status"])), ("json", rows(expectation?["json"])), ("headers", rows(expectation?["headers"])),
            ("under", duration(expectation?["under"])),
        ])
    }

    private static func answer(_ answer: JSONValue?) -> YAMLValue? {
        guard case .object? = answer else { return scalar(answer) }
        var statuses = scalar(answer?["statuses"])
        if case .array(let ranges)? = answer?["statuses"] {
            statuses = .sequence(
                ranges.compactMap { range in
                    guard case .array(let ends) = range, ends.count == 2 else { return scalar(range) }
                    return .text("\(ends[0].text)-\(ends[1].text)")
                })
        }
        var shape = scalar(answer?["shape"])
        if case .string(let text)? = answer?["shape"] { shape = .json(text) }
        return .mapping(optional: [
            ("status", statuses), ("types", scalar(answer?["contentTypes"])), ("shape", shape), ("codes", scalar(answer?["messages"])),
        ])
    }
}
