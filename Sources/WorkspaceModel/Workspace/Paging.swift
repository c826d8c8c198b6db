/// The parameters and the parts of the response that define pages (S1.38).
public struct Paging: Hashable, Sendable {
    /// The parameter for the number of the page, for numbered pages.
    public var number: String?
    /// The parameter for the number of items per page.
    public var size: String?
    /// The parameter for the cursor, for pages by cursor.
    public var cursor: String?
    /// The JSON path of the next cursor in the response.
    public var next: String?
    /// The JSON path of the items.
    public var items: String?
    /// The JSON path of the total number of items.
    public var total: String?

    /// Creates settings without paging.
    public init() {}
}
