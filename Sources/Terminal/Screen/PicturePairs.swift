/// The colour pairs of ncurses for cells of pictures; those of roles are before them.
struct PicturePairs {
    private var numbers: [CellColours: Int16] = [:]

    /// The number of a pair, and whether it is new.
    ///
    /// When all `last` numbers are used, they are assigned again from the first one: the cells of earlier pictures are not displayed any more.
    mutating func number(of colours: CellColours, last: Int16) -> (Int16, isNew: Bool)? {
        if let number = numbers[colours] { return (number, false) }
        guard last >= Self.first else { return nil }
        if numbers.count > Int(last - Self.first) { numbers = [:] }
        let number = Self.first + Int16(numbers.count)
        numbers[colours] = number
        return (number, true)
    }

    /// The first number after those of the roles.
    static let first = Int16(2 * Role.allCases.count) + 1
}
