package import SortieBase

/// Building a run from endpoints, and arranging its steps.
extension RunDefinition {
    /// Creates a run that sends endpoints in an order; a step of a chain whose name is taken gets a number.
    package init(name: String, kind: Kind, sending targets: [EndpointID]) {
        self.init(name: name, kind: kind, steps: [])
        for target in targets { addStep(sending: target.path, after: nil) }
    }

    /// Adds a step.
    ///
    /// - Parameter index: The step that it follows; it is sent after all steps of that one's parallel group. Nil for the end of the run.
    /// - Returns: The index of the new step.
    @discardableResult
    package mutating func addStep(sending target: String, after index: Int?) -> Int {
        let name = FilePath.name(of: target)
        let names = Set(steps.map(\.name))
        let isTaken = kind == .chain && names.contains(name)
        let free = isTaken ? (2...steps.count + 2).map { "\(name)-\($0)" }.first { !names.contains($0) } ?? name : name
        var turns = turns
        let turn = index.map { place(of: $0, in: turns).turn + 1 } ?? turns.count
        turns.insert([Step(target: target, name: free)], at: turn)
        arrange(turns)
        return turns[..<turn].reduce(0) { $0 + $1.count }
    }

    /// Removes a step; of a parallel group of two, the other one is sent by itself then.
    package mutating func removeStep(_ index: Int) {
        var turns = turns
        let (turn, member) = place(of: index, in: turns)
        turns[turn].remove(at: member)
        turns.dissolve(turn)
        arrange(turns)
    }

    /// Moves a step up or down by one: within its parallel group, out of it at its end, and past the whole group of another step.
    ///
    /// - Returns: The new index of the step; nil at the end of the run.
    package mutating func moveStep(_ index: Int, down: Bool) -> Int? {
        var turns = turns
        let (turn, member) = place(of: index, in: turns)
        let (nextTurn, nextMember) = (turn + (down ? 1 : -1), member + (down ? 1 : -1))
        let new: (turn: Int, member: Int)
        if turns[turn].count == 1 {
            guard turns.indices.contains(nextTurn) else { return nil }
            turns.swapAt(turn, nextTurn)
            new = (nextTurn, 0)
        } else if turns[turn].indices.contains(nextMember) {
            turns[turn].swapAt(member, nextMember)
            new = (turn, nextMember)
        } else {
            new = (turns.takeOut(member, of: turn, after: down), 0)
        }
        arrange(turns)
        return turns[..<new.turn].reduce(new.member) { $0 + $1.count }
    }

    /// Sends a step at the same time as the one above, or by itself again.
    ///
    /// - Returns: The new index of the step.
    /// - Throws: The reason why it cannot be in a parallel group.
    package mutating func toggleParallel(_ index: Int) throws(ConditionError) -> Int {
        var turns = turns
        let (turn, member) = place(of: index, in: turns)
        var new = (turn: turn, member: 0)
        if turns[turn].count > 1 {
            new.turn = turns.takeOut(member, of: turn, after: member > 0)
        } else {
            guard kind == .chain else { throw ConditionError("the steps of a batch are sent at the same time anyway") }
            guard turn > 0 else { throw ConditionError("there is no step above \(steps[index].name)") }
            for step in turns[turn - 1] + turns[turn] {
                if case .repeats = step.loop { throw ConditionError("\(step.name) is repeated while a condition holds, so it is sent by itself") }
            }
            let group = turns[turn - 1].first?.group ?? StepGroup(number: 0)
            new = (turn - 1, turns[turn - 1].count)
            turns[turn - 1] = (turns[turn - 1] + turns.remove(at: turn)).map { step in
                var step = step
                step.group = group
                return step
            }
        }
        arrange(turns)
        return turns[..<new.turn].reduce(new.member) { $0 + $1.count }
    }

    // MARK: Turns

    /// The steps by their turn: a step that is sent by itself, or the steps of a parallel group.
    package var turns: [[Step]] {
        var turns: [[Step]] = []
        for step in steps {
            if let group = step.group, turns.last?.first?.group == group { turns[turns.count - 1].append(step) } else { turns.append([step]) }
        }
        return turns
    }

    /// Sets the steps by their turn, and numbers the groups.
    private mutating func arrange(_ turns: [[Step]]) {
        var number = 0
        steps = turns.flatMap { turn -> [Step] in
            guard let group = turn.first?.group else { return turn }
            number += 1
            return turn.map { step in
                var step = step
                step.group = StepGroup(number: number, concurrency: group.concurrency)
                return step
            }
        }
    }

    private func place(of index: Int, in turns: [[Step]]) -> (turn: Int, member: Int) {
        var start = 0
        for (turn, members) in turns.enumerated() {
            if index < start + members.count { return (turn, index - start) }
            start += members.count
        }
        return (turns.count, 0)
    }
}

extension [[RunDefinition.Step]] {
    /// Gives a step of a group a turn of its own before or after the group; returns that turn.
    fileprivate mutating func takeOut(_ member: Int, of turn: Int, after: Bool) -> Int {
        var step = self[turn].remove(at: member)
        step.group = nil
        dissolve(turn)
        let own = after ? turn + 1 : turn
        insert([step], at: own)
        return own
    }

    /// Removes a group without steps, and lets the only step of another one be sent by itself.
    fileprivate mutating func dissolve(_ turn: Int) {
        if self[turn].isEmpty { remove(at: turn) } else if self[turn].count == 1 { self[turn][0].group = nil }
    }
}
