import Foundation
import Support
import Testing

/// The reference of `--json`: this table, compared with what the commands print.
///
/// A line has key, type and meaning; `#` begins a section; `?` marks a key that not every record has. Names between asterisks are other sections.
enum JSONReference {
    static let text = """
        # exchange | One call: `send`, each file of `upload`, `download`, `history show` and each step of `run`. `send` and the others add the keys at the end.
        id | string | identity of the call
        endpoint | string or null | the target in the workspace; null for a URL
        environment | string or null | the environment
        request | *request* or null | the request as it was sent
        response | *response* or null | the response; null without one
        timing | object | of the last attempt, in seconds
        timing.nameLookup | number | until the name was resolved
        timing.connect | number | until the connection was established
        timing.tls | number | until TLS was established; 0 without TLS
        timing.firstByte | number | until the first byte of the response
        timing.total | number | until the end
        timing.queued | number | in the queue of the service
        duration | number | seconds of the whole call
        attempts | array of *attempt* | what was sent, in order
        value | any | what the envelope, `expect: {format}` and `reform:` made of the body
        error | *error* or null | why the call failed
        failures | array of *failure* | ? what `expect:` did not accept; only where there are expectations
        notices | array of string | ? what was not sent to another origin; only where there is something
        warnings | array of string | ? what differs from the description of the service with `mode: warn`; only where there is something
        insecure | boolean | ? true where a certificate was not verified; only then
        download | object | ? of `download`
        download.file | string | the file
        download.bytes | number | its length so far
        download.resumedAt | number | the bytes that were there before
        download.restarts | number | how often it began from the start
        download.sha256 | string or null | digest of the complete file
        upload | object | ? of `upload`
        upload.file | string or null | the file; null for a form
        upload.bytes | number | the bytes of the body that were sent
        step | string | ? of `run`: the name of the step
        state | string | ? of `run`: `done`, `failed`, `skipped`, `cancelled` or `waiting`
        reason | string or null | ? of `run`: why a step was skipped although none failed: a condition of `if:`, or an empty list
        repetition | number or null | ? of `run`: the number of the repetition of a step with `forEach:` or `while:`, from 1
        number | number | ? of `history show`: the number in the history
        startedAt | string | ? of `history show`: the start (ISO 8601)
        tags | array of string | ? of `history show`
        note | string | ? of `history show`
        pinned | boolean | ? of `history show`
        missingBody | string or null | ? of `history show`: why a body is not there
        checks | array of *result* | ? of `history show`: the checks of the response, repeated, and those that hooks reported; only where there are some
        # request |
        method | string | the method
        url | string | the URL
        headers | array of array of string | names and values in the order of sending
        bodyBytes | number | bytes of the body
        body | string or null | the body; null without one, for streams, and above 16 MiB
        # response |
        status | number | the status
        reason | string | the reason phrase
        httpVersion | string | `1.0`, `1.1` or `2`
        headers | array of array of string | names and values in the order of arrival
        bodyBytes | number | bytes of the body after decoding
        body | string or null | the body; null where `bodyFile` has it
        bodyEncoding | string | `utf8` or `base64`
        charset | string or null | the charset from which the body was decoded
        remoteAddress | string or null | address and port of the server
        fromCache | boolean | whether it comes from the response cache
        informational | array of object | ? the responses from 102 to 199 before it, such as 103; only where there are some
        informational[].status | number | ?
        informational[].headers | array of array of string | ? names and values
        trailers | array of array of string | ? names and values of the fields after the body; only where there are some
        bodyFile | string | ? the file that has the body
        notice | string | ? why the content coding was not decoded
        # attempt |
        startedAt | string | the start (ISO 8601 with milliseconds)
        address | string or null | the address; null without a connection
        addressChoice | object or null | why this address was used
        addressChoice.reason | string | the rule
        addressChoice.of | number | how many addresses there were
        addressChoice.standing | *score* | the score of the address
        server | string | the origin
        connectionReused | boolean | whether an open connection was used
        status | number or null | the status of the response
        error | string or null | the name of the error
        delay | number | seconds of waiting before the attempt
        queued | number | seconds in the queue of the service
        total | number | seconds of the attempt
        certificates | array of *certificate* | the chain of the server
        # score |
        score | number | 0.6 for latency and 0.4 for success, together
        latency | number or null | average in seconds
        successes | number | successful requests of those considered
        requests | number | requests considered, at most 15
        # certificate |
        subject | string | the subject
        issuer | string | the issuer
        names | array of string | the alternative names
        validFrom | string | ISO 8601
        validUntil | string | ISO 8601
        pin | string | the pin of the key, `sha256//…`
        # error |
        class | string | `transport`, `http`, `business` or `client`
        code | string | the name
        legacyCode | number | the number of the source documents
        message | string | the sentence
        underlying | string or null | the message of the system, of libcurl or of the server
        # failure |
        kind | string | `status`, `json`, `header`, `time`, `capture` …
        subject | string | the path or name
        expected | string or null | the condition
        actual | string or null | the value
        # result |
        key | string | the key of the file with the condition: `parameters`, `answer` (the conditions of acceptance of `expect`), `envelope`, `expect`, `capture`, or `graphql`, `grpc`, `hook`
        subject | string | what was compared: a path, a name, the name that a hook gave
        outcome | string | `passed`, `failed`, `unresolved` where the condition cannot be used, or `skipped` where the data is missing
        expected | string or null | the condition
        actual | string | the value, or why nothing was compared
        # run | `sortie run NAME --json` prints one object. For several environments it is an object with `run` and `environments`, an array of these objects.
        run | string | the name
        kind | string | `batch` or `chain`
        environment | string or null | the environment
        steps | array of *exchange* | the steps in their order
        state | string | `finished`, `failed` or `cancelled`
        failedStep | string or null | the first step that failed
        duration | number | seconds
        differences | array of object | ? with `--diff`, the steps that were sent
        differences[].step | string | ? the name of the step
        differences[].difference | *comparison* or null | ? its response and the last one in an earlier run; null without one
        monitor | object | the statistics of the client
        monitor.online | boolean | whether the machine has a network
        monitor.networks | array of string | the kinds of its interfaces: `wired`, `wireless`, `cellular`, `other`
        monitor.services | array of object |
        monitor.services[].name | string or null | the service; null for plain URLs
        monitor.services[].traffic | *traffic* | all requests
        monitor.services[].recent | array of number | requests in each of the last 60 seconds
        monitor.services[].servers | array of object |
        monitor.services[].servers[].origin | string | the server
        monitor.services[].servers[].traffic | *traffic* |
        monitor.services[].servers[].addresses | array of object |
        monitor.services[].servers[].addresses[].address | string or null | the address; null where no connection was established
        monitor.services[].servers[].addresses[].traffic | *traffic* |
        monitor.services[].servers[].addresses[].standing | *score* or null | the score
        monitor.services[].servers[].addresses[].inUse | boolean or null | whether it is the current address
        monitor.services[].servers[].addresses[].reason | string or null | why
        monitor.timeline | array of object | changes of servers, addresses and the network
        monitor.timeline[].time | number | ? seconds since 1970
        monitor.timeline[].kind | string | ? what changed
        monitor.timeline[].text | string | ? the sentence
        monitor.rings | array of object | rings of servers
        monitor.rings[].service | string | ? the service
        monitor.rings[].environment | string or null | ? the environment
        monitor.rings[].server | number | ? the server in use, from 1
        # traffic |
        requests | number | attempts
        errors | number | failed attempts
        successRate | number or null | 0 to 1
        latency | object | seconds until the first byte
        latency.p50 | number | median
        latency.p95 | number | 95th percentile
        latency.p99 | number | 99th percentile
        bytesSent | number | bytes of bodies
        bytesReceived | number | bytes of bodies
        connectionsOpened | number |
        connectionsReused | number |
        # bench | `sortie bench --json` prints one object.
        endpoint | string or null | the target in the workspace; null for a URL
        environment | string or null | the environment
        request | object | the request of the first call
        request.method | string | the method
        request.url | string | the URL
        state | string | `finished` or `cancelled`
        load | object | when the calls start
        load.model | string | `closed`: when another one has ended; `open`: at a rate
        load.concurrency | number | the maximum number of calls at a time
        load.rate | number or null | intended calls per second
        load.requests | number or null | the number of calls; null without a limit
        load.duration | number or null | the time in which calls start; null without a limit
        duration | number | until the end of the last call
        calls | number | calls that ended
        failed | number | calls that failed
        cancelled | number | calls that an interruption ended, which are counted nowhere else
        notStarted | number | intended calls that did not start in time
        callsPerSecond | number | `calls` by `duration`
        latency | *latency* or null | since the intended start, or the start of a closed loop; null without a call
        serviceTime | *latency* or null | since the start, not corrected for coordinated omission; null in a closed loop
        histogram | array of object | the latencies in intervals
        histogram[].from | number | the shortest latency
        histogram[].to | number | the end, which only the last interval contains
        histogram[].count | number | calls
        statuses | array of object | in their order
        statuses[].status | number | ? the status
        statuses[].count | number | ? calls
        grpcStatuses | array of object | for calls of gRPC, in the order of their codes
        grpcStatuses[].status | number | ? the code
        grpcStatuses[].name | string | ? its name, such as `UNAVAILABLE`
        grpcStatuses[].count | number | ? calls
        failures | array of object | the reasons of failures, the most frequent one first
        failures[].reason | string | ? the name of the error, `status` or `expectation`
        failures[].count | number | ? calls
        failures[].message | string | ? the sentence of the first one
        bytes | object | bytes of bodies
        bytes.sent | number |
        bytes.received | number | before decoding
        connections | object | connections of the calls
        connections.opened | number |
        connections.reused | number |
        attempts | number | what was sent, with retries and redirects
        # latency | Seconds.
        mean | number |
        min | number |
        p50 | number | median
        p90 | number |
        p95 | number |
        p99 | number |
        p999 | number | 99.9th percentile
        max | number |
        # list | `sortie list --json` prints one array of objects.
        [].kind | string | `service`, `endpoint`, `batch` or `chain`
        [].target | string | the name in commands
        [].name | string | the name that is displayed
        [].description | string or null | ? of services and endpoints
        [].service | string | ? of endpoints: the service
        [].tags | array of string | ? of endpoints: their tags and those of the service
        [].method | string | ? of endpoints
        [].path | string | ? of endpoints
        [].steps | array of string | ? of runs: the targets
        # check | `sortie check --json` prints one object.
        workspace | string | the name
        folder | string | the directory
        problems | array of object |
        problems[].file | string | the file, relative to the workspace
        problems[].line | number | from 1
        problems[].column | number | from 1
        problems[].severity | string | `error` or `warning`
        problems[].message | string | the sentence
        insecure | array of object | servers whose certificates are not verified
        insecure[].server | string | the origin
        insecure[].file | string | the file that says so
        credentials | array of object | credentials in clear text, which do not change the exit code
        credentials[].file | string | ? the file, relative to the workspace
        credentials[].line | number | ? from 1
        credentials[].column | number | ? from 1
        credentials[].severity | string | ? `warning`
        credentials[].message | string | ? the sentence
        # history | `sortie history list --json` prints one array of objects, `history diff` two of them.
        number | number | the number in the history
        id | string | identity of the call
        startedAt | string | ISO 8601
        workspace | string or null | the directory
        service | string or null | the service
        endpoint | string or null | the target
        environment | string or null | the environment
        run | string or null | the run
        kind | string | `data`, `download` or `upload`
        method | string | the method
        url | string | the URL
        outcome | string | how the call ended
        status | number or null | the status
        error | string or null | the name of the error
        duration | number | seconds
        sentBytes | number | bytes of the body
        receivedBytes | number | bytes of the body
        attempts | number | how many there were
        tags | array of string |
        note | string |
        pinned | boolean | whether it is kept whatever its age
        # comparison | `sortie history diff A B --json` prints one object.
        equal | boolean or null | whether the responses are equal; null where a body is not there
        left | *history* | the first exchange
        right | *history* | the second exchange
        facts | array of *fact* | status, times, sizes
        headers | array of *field* | fields of the responses
        body | *difference* | bodies of the responses
        request | object | the same of the requests
        request.same | boolean | whether the requests are equal
        request.facts | array of *fact* |
        request.headers | array of *field* |
        request.body | *difference* |
        # fact |
        name | string | what is compared
        left | string or null |
        right | string or null |
        different | boolean |
        counts | boolean | whether the difference makes the exchanges unequal
        # field |
        name | string | the name
        change | string | `same`, `changed`, `added` or `removed`
        left | array of string | the values
        right | array of string | the values
        counts | boolean | whether the difference makes the exchanges unequal
        # difference |
        form | string | `json`, `text`, `bytes` …
        different | boolean or null |
        changes | array of object | of JSON
        changes[].path | string | ? the JSON path
        changes[].left | any | ? the value
        changes[].right | any | ? the value
        removedLines | number |
        addedLines | number |
        lines | array of object | the lines as they are displayed
        lines[].kind | string | ? `same`, `removed`, `added`, `ignored` or `folded`
        lines[].text | string | ? the line
        lines[].path | string | ? the JSON path
        lines[].leftLine | number | ? from 1
        lines[].rightLine | number | ? from 1
        lines[].count | number | ? of `folded`: how many lines
        notes | array of string | remarks
        # trust | `sortie trust --list --json` prints one object.
        workspace | string | the name
        folder | string | the directory
        digest | string | the digest for `SORTIE_TRUST`
        permitted | boolean | whether everything is permitted
        capabilities | array of object | what the workspace asks for
        capabilities[].kind | string | `command`, `environment`, `file` …
        capabilities[].subject | string | the command, name or path
        capabilities[].destination | string or null | the host that receives it
        capabilities[].permitted | boolean | whether it is permitted
        # dry run | `sortie send --dry-run --json` prints one object.
        method | string | the method
        url | string | the URL
        headers | array of array of string | names and values
        body | string or null | the body
        addresses | array of string | the addresses that are known
        answeredFromCache | boolean | whether the cache would give the response
        signed | string or null | the text that is signed
        sources | array of object | where the values come from
        sources[].place | string | the part of the request
        sources[].sources | array of string | the origins
        facts | array of object | what decides about the request
        facts[].subject | string | `address`, `cache` …
        facts[].text | string | the sentence
        error | *error* or null | why nothing would be sent
        # cache | `sortie cache list --json` prints one array of objects.
        id | string | identity of the entry
        method | string | the method of the request
        url | string | the URL of the request
        service | string or null | the service
        status | number | the status of the response
        contentType | string or null | the media type
        bodyBytes | number | bytes of the body
        bytes | number | bytes of the file
        storedAt | string | when it was stored or last validated (ISO 8601)
        age | number | seconds since then
        lifetime | number | seconds for which it is fresh
        fresh | boolean | whether it is used without revalidation
        # removed | `sortie cache remove` and `clear` with `--json` print one object.
        removed | number | the number of removed responses
        # secrets | `sortie secret list --json` prints one array of objects, without the values.
        name | string | the name
        source | string | `stored`, or the source of a secret of the workspace
        place | string | the file of the stored secrets, or the place in the workspace
        # tokens | `sortie token list --json` prints one array of objects, without the values.
        grant | string | the grant of the sign-in
        tokenURL | string | the token endpoint
        clientID | string | the identifier of the client
        scope | string or null | the granted scopes, or the requested ones
        environment | string or null | the environment
        workspace | string | the folder of the workspace
        issuedAt | string | the time of the token (ISO 8601)
        expiresAt | string or null | the time of its expiry; null where the server named none
        renewable | boolean | whether it has a refresh token
        # token | `sortie token get --json` prints one object.
        accessToken | string | the access token
        issuedAt | string | the time of the token (ISO 8601)
        expiresAt | string or null | the time of its expiry; null where the server named none
        renewable | boolean | whether it has a refresh token
        # discarded | `sortie download --discard-parts --json` prints one object.
        discarded | array of string | the files whose parts were removed
        # prune | `sortie history prune --json` prints one object.
        exchanges | number | removed exchanges
        bodies | number | removed bodies
        bytes | number | freed bytes
        """

    struct Key: Sendable {
        let path: String
        let type: String
        let meaning: String
        let isRare: Bool
    }

    struct Section: Sendable {
        let name: String
        let intro: String
        var keys: [Key] = []
    }

    static let sections: [Section] = text.split(separator: "\n").reduce(into: []) { sections, line in
        let cells = line.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
        if line.hasPrefix("# ") {
            sections.append(Section(name: String(cells[0].dropFirst(2)), intro: cells[1]))
        } else {
            let isRare = cells[2].hasPrefix("?")
            let meaning = isRare ? String(cells[2].dropFirst().drop { $0 == " " }) : cells[2]
            sections[sections.count - 1].keys.append(Key(path: cells[0], type: cells[1], meaning: meaning, isRare: isRare))
        }
    }

    static func section(_ name: String) -> Section? { sections.first { $0.name == name } }

    static var markdown: String {
        let head = """
            # Fields of --json

            The keys of what commands print with `--json`. A test compares this page with the output of the program.

            Times are in seconds, unless a key says otherwise. Names in italics are objects of this page. Secrets are `••••` unless `--show-secrets` is
            given. Bodies up to 16 MiB are in the record (of all steps of a run together); `bodyFile` names the file of a larger one. Keys may be added in
            later versions.


            """
        let tables = sections.map { section in
            let rows = section.keys.map { "| `\($0.path)` | \($0.type) | \($0.meaning) |\n" }.joined()
            let intro = section.intro.isEmpty ? "" : "\(section.intro)\n\n"
            return "## \(section.name)\n\n\(intro)| key | type | meaning |\n|---|---|---|\n\(rows)"
        }
        return head + tables.joined(separator: "\n")
    }
}

/// Compares JSON values with the reference.
struct JSONReferenceCheck {
    /// The keys that occurred, as `section path`.
    private(set) var seen: Set<String> = []
    /// What contradicts the reference.
    private(set) var problems: Set<String> = []

    mutating func check(_ data: Data, as name: String) throws {
        check(try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed), at: "", in: name)
    }

    /// Checks the members of an object, or the elements of an array, at a path of a section.
    private mutating func check(_ value: Any, at path: String, in name: String) {
        guard let section = JSONReference.section(name) else {
            problems.insert("there is no section \(name)")
            return
        }
        if let elements = value as? [Any] {
            for element in elements { check(element, at: "\(path)[]", in: name) }
            return
        }
        guard let members = value as? [String: Any] else { return }
        for (key, member) in members {
            let place = path.isEmpty ? key : "\(path).\(key)"
            guard let known = section.keys.first(where: { $0.path == place }) else {
                problems.insert("\(name): \(place) is not in the reference")
                continue
            }
            seen.insert("\(name) \(place)")
            if !known.type.components(separatedBy: " or ").contains(where: { fits(member, $0, at: place, in: name) }) {
                problems.insert("\(name): \(place) is no \(known.type): \(member)")
            }
        }
        for key in section.keys where !key.isRare && isMember(key.path, of: path) && members[lastPart(key.path)] == nil {
            problems.insert("\(name): \(key.path) is missing")
        }
    }

    /// Whether a value has a type; objects and arrays are checked further.
    private mutating func fits(_ value: Any, _ type: String, at place: String, in name: String) -> Bool {
        if type == "any" { return true }
        if type.hasPrefix("array of ") {
            guard let elements = value as? [Any] else { return false }
            let inner = String(type.dropFirst("array of ".count))
            return elements.allSatisfy { fits($0, inner, at: "\(place)[]", in: name) }
        }
        if type.hasPrefix("*") {
            guard value is [String: Any] else { return false }
            check(value, at: "", in: String(type.dropFirst().dropLast()))
            return true
        }
        switch type {
        case "object":
            guard value is [String: Any] else { return false }
            check(value, at: place, in: name)
            return true
        case "null": return value is NSNull
        case "string": return value is String
        case "boolean": return (value as? NSNumber).map(isBoolean) ?? false
        case "number": return (value as? NSNumber).map { !isBoolean($0) } ?? false
        default: return false
        }
    }

    private func isBoolean(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" || String(cString: number.objCType) == "B" }

    /// Whether a path is a direct member of another one.
    private func isMember(_ path: String, of parent: String) -> Bool {
        guard !parent.isEmpty else { return !path.contains(".") && !path.hasPrefix("[]") }
        guard path.hasPrefix("\(parent).") else { return false }
        return !path.dropFirst(parent.count + 1).contains(".")
    }

    private func lastPart(_ path: String) -> String { String(path[(path.lastIndex(of: ".").map { path.index(after: $0) } ?? path.startIndex)...]) }
}
