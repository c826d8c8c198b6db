import BodyViews
import SortieHTTP
import Support

extension BodyFixtures {
    /// A view with all its rows computed.
    static func view(_ bytes: [UInt8], _ type: String? = "application/json", budget: Int = 1 << 20) -> BodyView {
        var view = BodyView.make(bytes: BodyBytes(bytes), contentType: type, isFinal: true)
        while view.canAdvance { view.advance(budget: budget) }
        return view
    }

    static func view(_ text: String, _ type: String? = "application/json") -> BodyView { view(Array(text.utf8), type) }
}
extension BodyView {
    /// All rows.
    var all: [BodyRow] { rows(0..<rowCount) }

    /// The displayed text.
    var text: String { all.map(\.text).joined(separator: "\n") }
}
