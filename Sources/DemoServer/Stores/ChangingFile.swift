/// The content version of `/files/changing.bin`: a number that grows with every change.
actor ChangingFile {
    private(set) var generation = 0
    private var freshRequests = 0

    /// Counts a request for the whole file.
    ///
    /// After every `limit` such requests the file changes before the next one.
    func freshRequest(changingEvery limit: Int) -> Int {
        if limit > 0, freshRequests > 0, freshRequests % limit == 0 { generation += 1 }
        freshRequests += 1
        return generation
    }

    func change() -> Int {
        generation += 1
        freshRequests = 0
        return generation
    }
}
