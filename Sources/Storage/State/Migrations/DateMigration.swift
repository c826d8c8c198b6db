internal import SortieBase

/// Changes dates of 0.1.0, seconds since 2001, to seconds since 1970.
enum DateMigration {
    private static let difference = 978_307_200.0

    /// A record with the dates of `keys` changed; a value that is no number is copied.
    static func migrated(_ record: JSONValue, keys: Set<String>) -> JSONValue {
        guard case .object(let members) = record else { return record }
        return .object(
            members.map { member in
                guard keys.contains(member.key), case .number(let text) = member.value, let seconds = Double(text) else { return member }
                return JSONValue.Member(member.key, .number("\(seconds + difference)"))
            })
    }
}
