import Foundation
import Support
import Testing

@testable import SortieHTTP

/// Tests the states of a transfer with the table of the documentation.
@Suite struct TransferMachineTests {
    private static let error = NetworkError(.connectionLost, "lost")
    /// One value of each state.
    private static let states: [String: TransferState] = [
        "idle": .idle, "preparing": .preparing, "requesting": .requesting(offset: 5), "sending": .sending, "queued": .queued(because: "full"),
        "receiving": .receiving, "restarting": .restarting(.changed), "waiting": .waiting(seconds: 1, because: "503"), "paused": .paused,
        "verifying": .verifying, "finalising": .finalising, "done": .done, "failed": .failed(error, isResumable: true),
        "cancelled": .cancelled(keepsPart: true), "superseded": .superseded,
    ]
    private static let ends: Set<String> = ["done", "failed", "cancelled", "superseded"]
    private static let commands: [TransferCommand] = [.wait, .run, .pause, .cancel(keepsPart: true), .cancel(keepsPart: false), .supersede, .expire]

    /// The transitions of the table in `DownloadingFiles.md`.
    private let table: [String: Set<String>]

    init() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/SortieNetworking/Documentation.docc/DownloadingFiles.md")
        var table: [String: Set<String>] = [:]
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where line.hasPrefix("| ") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 2, cells[0] != "state" else { continue }
            let next = Set(cells[1].components(separatedBy: ", "))
            guard cells[0].hasPrefix("every state but ") else {
                table[cells[0]] = next
                continue
            }
            let exception = cells[0].split(separator: " ")[3]
            for state in table.keys where state != exception { table[state]?.formUnion(next) }
        }
        try #require(Set(table.keys).union(Self.ends) == Set(Self.states.keys))
        self.table = table
    }

    /// Every state that can be reached from `start` in one step or more.
    private func reachable(from start: String) -> Set<String> {
        var found: Set<String> = []
        var open = Array(table[start] ?? [])
        while let next = open.popLast() {
            if found.insert(next).inserted { open += table[next] ?? [] }
        }
        return found
    }

    private static func value(_ name: String) throws -> TransferState { try #require(states[name]) }

    /// A machine in a state, which it entered by the shortest way.
    private func machine(in name: String) throws -> TransferMachine {
        var ways: [[String]] = [["idle"]]
        var seen: Set<String> = ["idle"]
        while let way = ways.first {
            ways.removeFirst()
            guard let last = way.last else { continue }
            if last == name {
                var machine = TransferMachine()
                let isOpen = try way.dropFirst().map { machine.apply(.entered(try Self.value($0))) }
                #expect(!isOpen.contains(false), "\(way)")
                return machine
            }
            ways += (table[last] ?? []).sorted().filter { seen.insert($0).inserted }.map { way + [$0] }
        }
        throw NetworkError(.internalFailure, "no way leads to \(name)")
    }

    @Test(arguments: states.keys.sorted())
    func `a transfer enters exactly the states that the table has after its own`(name: String) throws {
        let machine = try machine(in: name)
        for (next, value) in Self.states {
            var changed = machine
            let isLegal = table[name]?.contains(next) ?? false
            #expect(changed.apply(.entered(value)) == isLegal, "\(name) → \(next)")
            #expect(changed.state == (isLegal ? value : machine.state) && changed.command == .run, "\(name) → \(next)")
        }
    }

    @Test(arguments: states.keys.sorted())
    func `a display accepts exactly the states that can be reached, also where events were dropped`(name: String) throws {
        let machine = try machine(in: name)
        let reached = reachable(from: name)
        for (next, value) in Self.states {
            var changed = machine
            #expect(changed.apply(.reported(value)) == reached.contains(next), "\(name) → \(next)")
            #expect(changed.state == (reached.contains(next) ? value : machine.state), "\(name) → \(next)")
        }
    }

    @Test(arguments: states.keys.sorted())
    func `a command is accepted until the file is renamed`(name: String) throws {
        let machine = try machine(in: name)
        for command in Self.commands where command != .run {
            var changed = machine
            let isAccepted = name != "finalising" && !Self.ends.contains(name)
            #expect(changed.apply(.commanded(command)) == isAccepted, "\(name), \(command)")
            #expect(changed.command == (isAccepted ? command : .run) && changed.state == machine.state, "\(name), \(command)")
        }
    }

    @Test func `no command follows a final one, and one that changes nothing is refused`() {
        for first in Self.commands {
            var machine = TransferMachine(first)
            #expect(machine.isEnding == first.isFinal)
            for next in Self.commands {
                var changed = machine
                #expect(changed.apply(.commanded(next)) == (!first.isFinal && next != first), "\(first), \(next)")
            }
            machine.apply(.entered(.preparing))
            #expect(machine.state == .preparing && machine.command == first, "a state does not change the command")
        }
    }

    @Test func `a file is renamed only where no command waits to be obeyed`() throws {
        var machine = try machine(in: "verifying")
        let events: [(TransferMachine.Event, Bool)] = [
            (.commanded(.pause), true), (.entered(.finalising), false), (.entered(.paused), true), (.commanded(.run), true),
            (.entered(.finalising), true), (.commanded(.cancel(keepsPart: true)), false), (.entered(.done), true),
        ]
        let isAccepted = events.map { event, _ in machine.apply(event) }
        #expect(isAccepted == events.map(\.1))
        #expect(machine.state == .done && machine.command == .run && machine.isEnded && !machine.isEnding)
    }

    @Test func `a display follows a download that was renamed before a command reached it`() throws {
        var machine = try machine(in: "receiving")
        machine.apply(.commanded(.cancel(keepsPart: true)))
        #expect(machine.isEnding)
        machine.apply(.reported(.finalising))
        machine.apply(.reported(.done))
        #expect(machine.state == .done && machine.isEnded && !machine.isEnding)
    }

    @Test func `a download and an upload pass through their states in order`() throws {
        let ways: [[TransferState]] = [
            [
                .preparing, .requesting(offset: 0), .queued(because: "full"), .requesting(offset: 0), .receiving, .waiting(seconds: 1, because: "x"),
                .requesting(offset: 5), .receiving, .paused, .requesting(offset: 9), .restarting(.changed), .receiving, .verifying, .finalising,
                .done,
            ],
            [.preparing, .sending, .queued(because: "full"), .sending, .waiting(seconds: 1, because: "x"), .sending, .paused, .sending, .done],
        ]
        for way in ways {
            var machine = TransferMachine()
            let isAccepted = way.map { machine.apply(.entered($0)) }
            #expect(!isAccepted.contains(false), "\(zip(way, isAccepted).map { "\($0): \($1)" })")
            #expect(machine.isEnded)
        }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `any sequence of events is refused or accepted as the table says, and ends once`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let names = Self.states.keys.sorted()
        for walk in 0..<200 {
            var (machine, state, command) = (TransferMachine(), "idle", TransferCommand.run)
            var ended = 0
            for step in 0..<60 {
                let place: Comment = "seed \(seed), walk \(walk), step \(step): \(state), \(command)"
                let next = try #require(names.randomElement(using: &random))
                switch Int.random(in: 0..<6, using: &random) {
                case 0:
                    let wanted = try #require(Self.commands.randomElement(using: &random))
                    let isLegal =
                        !Self.ends.contains(state) && state != "finalising" && ![.supersede, .expire].contains(command)
                        && command != .cancel(keepsPart: true) && command != .cancel(keepsPart: false) && wanted != command
                    #expect(machine.apply(.commanded(wanted)) == isLegal, place)
                    if isLegal { command = wanted }
                case 1:
                    let isLegal = reachable(from: state).contains(next)
                    #expect(machine.apply(.reported(try Self.value(next))) == isLegal, place)
                    if isLegal { (state, ended) = (next, ended + (Self.ends.contains(next) ? 1 : 0)) }
                default:
                    let isLegal = table[state]?.contains(next) == true && (next != "finalising" || command == .run)
                    #expect(machine.apply(.entered(try Self.value(next))) == isLegal, place)
                    if isLegal { (state, ended) = (next, ended + (Self.ends.contains(next) ? 1 : 0)) }
                }
                #expect(machine.state == (try Self.value(state)) && machine.command == command, place)
                #expect(machine.isEnded == Self.ends.contains(state) && ended == (machine.isEnded ? 1 : 0), place)
            }
        }
    }
}
