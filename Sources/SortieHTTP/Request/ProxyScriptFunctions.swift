internal import SortieBase

/// The functions that browsers give to a script that chooses a proxy (Netscape, “Navigator Proxy Auto-Config File Format”).
struct ProxyScriptFunctions {
    private static let days = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]
    private static let months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]

    private let surroundings: ProxyScriptSurroundings

    init(_ surroundings: ProxyScriptSurroundings) { self.surroundings = surroundings }

    /// The functions by name.
    var all: [String: JavaScriptScript.Function] {
        let functions = self
        func text(_ function: @escaping @Sendable ([String]) throws(JavaScriptFailure) -> JavaScriptValue) -> JavaScriptScript.Function {
            { values throws(JavaScriptFailure) in try function(values.map { $0.text ?? "" }) }
        }
        return [
            "isPlainHostName": text { .boolean(!Self.argument(0, $0).contains(".")) },
            "dnsDomainIs": text { .boolean(Self.argument(0, $0).lowercased().hasSuffix(Self.argument(1, $0).lowercased())) },
            "localHostOrDomainIs": text { arguments in
                let (host, name) = (Self.argument(0, arguments).lowercased(), Self.argument(1, arguments).lowercased())
                return .boolean(host == name || !host.contains(".") && name.hasPrefix(host + "."))
            },
            "isResolvable": text { texts throws(JavaScriptFailure) in .boolean(try functions.address(of: Self.argument(0, texts)) != nil) },
            "dnsResolve": text { texts throws(JavaScriptFailure) in
                try functions.address(of: Self.argument(0, texts)).map { .string($0.description) } ?? .null
            },
            "isInNet": text { texts throws(JavaScriptFailure) in .boolean(try functions.isInNet(texts)) },
            "myIpAddress": text { _ in .string(functions.surroundings.ownAddress) },
            "dnsDomainLevels": text { .number(Double(Self.argument(0, $0).utf8.count { $0 == UInt8(ascii: ".") })) },
            "shExpMatch": text { texts throws(JavaScriptFailure) in .boolean(try Self.matches(Self.argument(0, texts), Self.argument(1, texts))) },
            "convert_addr": text { .number(Double(Self.argument(0, $0).isEmpty ? 0 : Self.number(of: Self.argument(0, $0)))) },
            "weekdayRange": text { texts throws(JavaScriptFailure) in .boolean(try functions.isInWeekdays(texts)) },
            "dateRange": text { texts throws(JavaScriptFailure) in .boolean(try functions.isInDates(texts)) },
            "timeRange": text { texts throws(JavaScriptFailure) in .boolean(try functions.isInTimes(texts)) },
            "alert": { _ in .undefined },
        ]
    }

    private static func argument(_ index: Int, _ texts: [String]) -> String { index < texts.count ? texts[index] : "" }

    // MARK: Addresses

    /// The first IPv4 address of a host, or else its first address, as in browsers; nil for a host that was not found.
    private func address(of host: String) throws(JavaScriptFailure) -> IPAddress? {
        if let address = IPAddress(host) { return address }
        guard let addresses = surroundings.addresses[host.lowercased()] else { throw .lookup(host.lowercased()) }
        return addresses.first { !$0.isV6 } ?? addresses.first
    }

    private func isInNet(_ texts: [String]) throws(JavaScriptFailure) -> Bool {
        guard let network = IPAddress(Self.argument(1, texts)), let mask = IPAddress(Self.argument(2, texts)), !network.isV6, !mask.isV6 else {
            throw .unsupported("isInNet needs a host, an IPv4 network and its mask")
        }
        guard let address = try address(of: Self.argument(0, texts)), !address.isV6 else { return false }
        return zip(zip(address.bytes, network.bytes), mask.bytes).allSatisfy { ($0.0 ^ $0.1) & $1 == 0 }
    }

    private static func number(of address: String) -> UInt32 {
        guard let address = IPAddress(address), !address.isV6 else { return 0 }
        return address.bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Whether a text matches a pattern of the shell: `*` stands for any text, `?` for one character.
    private static func matches(_ text: String, _ pattern: String) throws(JavaScriptFailure) -> Bool {
        let expression = TextPattern.escaped(pattern).replacing("\\*", with: ".*").replacing("\\?", with: ".")
        var steps = TextPattern.maximumSteps / 100
        do throws(PatternError) { return try TextPattern("^(?:\(expression))$").isFound(in: text, steps: &steps) } catch {
            throw .unsupported("the pattern of shExpMatch is not evaluated: \(error)")
        }
    }

    // MARK: Times

    /// The local time, or UTC where the last argument is `GMT`, and the other arguments.
    private func now(_ texts: [String]) -> (time: CalendarTime, arguments: [String]) {
        let isUTC = texts.last?.uppercased() == "GMT"
        let time = CalendarTime(secondsSince1970: surroundings.time, utcOffset: isUTC ? 0 : surroundings.utcOffset)
        return (time, isUTC ? Array(texts.dropLast()) : texts)
    }

    /// Whether a value is in a range, which may pass its end, such as from Friday to Monday.
    private static func isIn(_ value: Int, _ first: Int, _ last: Int) -> Bool {
        first <= last ? (first...last).contains(value) : value >= first || value <= last
    }

    private func isInWeekdays(_ texts: [String]) throws(JavaScriptFailure) -> Bool {
        let (time, arguments) = now(texts)
        let days = arguments.compactMap { Self.days.firstIndex(of: $0.uppercased()) }
        guard (1...2).contains(arguments.count), days.count == arguments.count else { throw .unsupported("weekdayRange needs days from SUN to SAT") }
        // 1970-01-01 was a Thursday.
        let today = CalendarTime(year: time.year, month: time.month, day: time.day).secondsSince1970 / 86_400
        let day = ((Int(today) + 4) % 7 + 7) % 7
        return Self.isIn(day, days[0], days[days.count - 1])
    }

    /// Whether the date is in a range of days, months and years, in the forms that are documented.
    private func isInDates(_ texts: [String]) throws(JavaScriptFailure) -> Bool {
        let (time, arguments) = now(texts)
        /// The place of an argument in a date, from the year to the day, its value, and that of now.
        func part(_ text: String) throws(JavaScriptFailure) -> (place: Int, value: Int, now: Int) {
            if let month = Self.months.firstIndex(of: text.uppercased()) { return (1, month + 1, time.month) }
            guard let number = Int(text), number >= 1 else { throw .unsupported("dateRange needs days, months from JAN to DEC, and years") }
            return number > 31 ? (0, number, time.year) : (2, number, time.day)
        }
        var parts: [(place: Int, value: Int, now: Int)] = []
        for argument in arguments { parts.append(try part(argument)) }
        let half = parts.count / 2
        guard parts.count == 1 || !parts.isEmpty && parts.count <= 6 && parts.count % 2 == 0 else {
            throw .unsupported("dateRange needs one value, or the same values for the first and the last date")
        }
        if parts.count == 1 { return parts[0].value == parts[0].now }
        let places = parts.map(\.place)
        guard Array(places[..<half]) == Array(places[half...]), Set(places[..<half]).count == half else {
            throw .unsupported("dateRange needs the same values for the first and the last date")
        }
        func number(_ parts: ArraySlice<(place: Int, value: Int, now: Int)>, _ value: ((place: Int, value: Int, now: Int)) -> Int) -> Int {
            parts.sorted { $0.place < $1.place }.reduce(0) { $0 * 10_000 + value($1) }
        }
        return Self.isIn(number(parts[..<half]) { $0.now }, number(parts[..<half]) { $0.value }, number(parts[half...]) { $0.value })
    }

    private func isInTimes(_ texts: [String]) throws(JavaScriptFailure) -> Bool {
        let (time, arguments) = now(texts)
        let values = arguments.compactMap { Int($0) }
        guard values.count == arguments.count, [1, 2, 4, 6].contains(values.count), values.allSatisfy({ (0...60).contains($0) }) else {
            throw .unsupported("timeRange needs hours, or hours and minutes, or hours, minutes and seconds")
        }
        switch values.count {
        case 1: return time.hour == values[0]
        // To the end of the last hour, as in browsers.
        case 2: return Self.isIn(time.hour, values[0], values[1])
        case 4:
            let now = time.hour * 3600 + time.minute * 60 + time.second
            return Self.isIn(now, values[0] * 3600 + values[1] * 60, values[2] * 3600 + values[3] * 60 + 59)
        default:
            let now = time.hour * 3600 + time.minute * 60 + time.second
            return Self.isIn(now, values[0] * 3600 + values[1] * 60 + values[2], values[3] * 3600 + values[4] * 60 + values[5])
        }
    }
}
