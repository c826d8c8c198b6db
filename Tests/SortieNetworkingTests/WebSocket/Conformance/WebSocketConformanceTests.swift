import SortieHTTP
import Support
import Testing

@testable import SortieNetworking

/// Tests the cases 1 to 10 of autobahn's list for clients, with the numbers of the list.
///
/// The server sends the exact bytes of a case, divided as the list says, and the client sends each message back. What the program gets and what the
/// client sends is compared.
@Suite(.fewAtOnce)
struct WebSocketConformanceTests {
    private static let small =
        FramingCases.all + PingCases.all + ReservedCases.bits + ReservedCases.opcodes + FragmentationCases.all + UTF8Cases.all + CloseCases.all

    /// The number of cases of each group in autobahn's list.
    private static let published = [
        "1.1": 8, "1.2": 8, "2": 11, "3": 7, "4.1": 5, "4.2": 5, "5": 20, "6.1": 3, "6.2": 4, "6.3": 2, "6.4": 4, "6.5": 5, "6.6": 11, "6.7": 4,
        "6.8": 2, "6.9": 4, "6.10": 3, "6.11": 5, "6.12": 8, "6.13": 5, "6.14": 10, "6.15": 1, "6.16": 3, "6.17": 5, "6.18": 5, "6.19": 5,
        "6.20": 7, "6.21": 8, "6.22": 34, "6.23": 7, "7.1": 6, "7.3": 6, "7.5": 1, "7.7": 13, "7.9": 9, "7.13": 2, "9.1": 6, "9.2": 6, "9.3": 9,
        "9.4": 9, "9.5": 6, "9.6": 6, "9.7": 6, "9.8": 6, "10.1": 1,
    ]

    @Test func `the table has every case of the list once`() {
        let expected = Self.published.flatMap { group, count in (1...count).map { "\(group).\($0)" } }
        let numbers = (Self.small + LimitCases.all).map(\.number)
        #expect(numbers.count == 301)
        #expect(numbers.sorted() == expected.sorted())
    }

    @Test(arguments: small) func `the client does what the case requires`(_ row: ConformanceCase) async throws {
        try await Self.check(row)
    }

    /// Large messages are not compared at the same time, which bounds the memory.
    @Test(.serialized, arguments: LimitCases.all)
    func `the client sends large messages, small fragments and many messages back`(_ row: ConformanceCase) async throws {
        try await Self.check(row)
    }

    @Test(arguments: small) func `the case has the same result when each byte arrives alone`(_ row: ConformanceCase) throws {
        var reader = WebSocketReader(limit: 64 << 20)
        var messages: [WebSocketMessage] = []
        var pongs: [[UInt8]] = []
        var close: UInt16??
        var rule: WebSocketError.Rule?
        do throws(WebSocketError) {
            for byte in (row.frames + row.withheld).joined() {
                reader.append([byte])
                while let event = try reader.next() {
                    switch event {
                    case .message(let message): messages.append(message)
                    case .ping(let payload): pongs.append(payload)
                    case .pong: break
                    case .close(let frame): close = .some(frame.code)
                    }
                }
            }
        } catch { rule = error.rule }
        #expect(messages == row.receivedMessages)
        #expect(pongs == row.pongs)
        #expect(close == row.ending.close)
        #expect(rule == row.ending.rule)
    }

    private static func check(_ row: ConformanceCase) async throws {
        let run = try await ConformanceRun(row)
        #expect(run.otherError == nil)
        // A Bool, because the texts of a failure would have megabytes.
        #expect((run.messages == row.receivedMessages) as Bool)
        #expect(run.violatedRule == row.ending.rule)
        #expect(run.frames.allSatisfy { $0.isFinal && $0.reserved == 0 })
        #expect(run.frames.filter { $0.opcode == 10 }.map(\.payload) == row.pongs)
        let echoes = run.frames.filter { $0.opcode < 3 }.compactMap(\.message)
        // The program responds to a message while the next frame already ends the connection, so the response may be missing.
        let mayBeCut = row.ending.rule != nil || row.number == "7.1.6"
        #expect((mayBeCut ? row.receivedMessages.starts(with: echoes) : echoes == row.receivedMessages) as Bool)
        // A Close frame is the last frame, and the only one of its kind.
        #expect(run.frames.firstIndex { $0.opcode == 8 } == run.frames.count - 1)
        let code = row.ending.sentClose
        #expect(run.frames.last?.payload == code.map { [UInt8($0 >> 8), UInt8($0 & 0xff)] } ?? [])
        if row.ending.rule == nil { #expect(run.receivedClose == .some(code)) }
    }
}

extension ConformanceCase {
    /// What the program receives; in 7.1.6 a Close frame follows before it can respond.
    fileprivate var receivedMessages: [WebSocketMessage] {
        number == "7.1.6" ? [.text(String(repeating: "*", count: 256 << 10)), .text("Hello World!")] : messages
    }
}

extension ConformanceCase.Ending {
    /// The code of the Close frame within the bytes of the case.
    fileprivate var close: UInt16?? {
        if case .close(let code) = self { .some(code) } else { nil }
    }

    fileprivate var rule: WebSocketError.Rule? {
        if case .violation(let rule) = self { rule } else { nil }
    }

    /// The code that the client must send.
    fileprivate var sentClose: UInt16? {
        switch self {
        case .byServer: 1000
        case .close(let code): code
        case .violation(let rule): WebSocketError(rule).closeCode
        }
    }
}

extension ClientFrame {
    fileprivate var message: WebSocketMessage? {
        switch opcode {
        case 1: String(validating: payload, as: UTF8.self).map { .text($0) }
        case 2: .binary(payload)
        default: nil
        }
    }
}
