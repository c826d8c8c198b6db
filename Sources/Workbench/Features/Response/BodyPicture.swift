internal import BodyViews
package import SortieBase
internal import SortieTerminal

/// The image that the Body tab draws.
struct BodyPicture: Hashable, Sendable {
    /// The bytes that are decoded.
    var bytes: BodyBytes
    /// The number of cells for which they are.
    var size: Size
    /// Nil while they are being decoded.
    var outcome: PictureOutcome?
    /// The call of which the outcome shows only a part; nil for a whole image.
    var part: CallID?
}

/// Decoding an image.
package struct DecodeImageJob: WorkJob {
    static let isReplaced = true

    package let bytes: BodyBytes
    /// The largest size of the picture in pixels.
    package let width, height: Int
    let target: CallKey
    /// Whether only a part of the image has arrived.
    let isPart: Bool

    fileprivate init(of bytes: BodyBytes, _ size: Size, target: CallKey, isPart: Bool) {
        (self.bytes, self.target, self.isPart) = (bytes, target, isPart)
        (width, height) = (size.width, 2 * size.height)
    }

    func finish(_ outcome: PictureOutcome, _ state: inout AppState) -> [Effect] {
        // A part without a row or a scan is no picture yet.
        if isPart, case .failed = outcome { return [] }
        state.responses[target]?.picture?.outcome = outcome
        if !isPart { state.responses[target]?.picture?.part = nil }
        return []
    }
}

/// Images in the Body tab, in half blocks: each cell is two pixels.
extension ResponseFeature {
    /// Decodes the image of the shown body for the size of the pane, where that has not happened.
    static func fitPicture(_ state: inout AppState) -> [Effect] {
        guard let key = state.shownKey, state.responseState.tab == .body, let body = state.openBody, body.mode == .image else { return [] }
        let view = BodyTabView(state)
        let size = Size(width: view.width, height: max(1, view.height - 1))
        let call = state.openCall?.id
        // The image of another response may have taken the place of this one.
        let known = state.responseState.picture.flatMap { $0.bytes == body.bytes || $0.part != nil && $0.part == call ? $0 : nil }
        let isPending = state.pendingJobs(DecodeImageJob.self).values.contains { $0.target == key }
        if !body.isFinal {
            // Each part has a quarter more than the one before, so that all of them take a few times as long as the whole image.
            let isWorthDecoding = known.map { body.bytes.count >= $0.bytes.count / 4 * 5 || $0.size != size } ?? true
            guard let call, body.image?.isDrawnInParts == true, isWorthDecoding, !isPending, refusal(of: body.bytes) == nil else { return [] }
            state.responseState.picture = BodyPicture(bytes: body.bytes, size: size, outcome: known?.outcome, part: call)
            return state.start(DecodeImageJob(of: body.bytes, size, target: key, isPart: true))
        }
        guard known?.bytes != body.bytes || known?.size != size || (known?.outcome == nil || known?.part != nil) && !isPending else { return [] }
        // The picture of another size, or of a part, is displayed until there is a new one.
        var picture = BodyPicture(bytes: body.bytes, size: size, outcome: known?.outcome, part: known?.part)
        defer { state.responseState.picture = picture }
        if let sentence = refusal(of: body.bytes) {
            (picture.outcome, picture.part) = (.failed(sentence), nil)
            return []
        }
        return state.start(DecodeImageJob(of: body.bytes, size, target: key, isPart: false))
    }

    /// Why an image is not decoded.
    private static func refusal(of bytes: BodyBytes) -> String? {
        guard bytes.count <= ImageHeader.sizeLimit else {
            return "An image above \(ByteText.amount(Int64(ImageHeader.sizeLimit))) is not drawn."
        }
        guard let header = ImageHeader(bytes) else { return "The header of the image is damaged." }
        guard header.isWithinLimits else {
            return "The image has \(header.width) × \(header.height) pixels; above \(ImageHeader.pixelLimit / 1_000_000) million it is not drawn."
        }
        return nil
    }
}

/// Draws the image of a body with its format and size.
struct BodyPictureView {
    private let state: AppState
    private let body: BodyView

    init(_ state: AppState, _ body: BodyView) {
        self.state = state
        self.body = body
    }

    func draw(on canvas: inout Canvas, in area: Rect) {
        canvas.write(caption, at: area.origin, width: area.width)
        let rest = area.split(topHeight: 1).bottom
        switch state.responseState.picture?.outcome {
        case nil:
            let isDecoded = body.isFinal || body.image?.isDrawnInParts == true
            canvas.writeHint([isDecoded ? "The image is being decoded." : "The image is drawn when it is complete."], in: rest)
        case .failed(let sentence):
            canvas.writeHint(["\(sentence) \(state.key(.switchMode)) shows the bytes, \(state.key(.saveBody)) saves them."], in: rest)
        case .drawn(let picture): draw(picture, on: &canvas, in: rest)
        }
    }

    private var caption: [Span] {
        var facts = [Span(body.image?.rawValue ?? "", .strong)]
        if let header = ImageHeader(body.bytes) { facts.append(Span("\(header.width) × \(header.height) pixels")) }
        facts.append(Span(ByteText.amount(Int64(body.bytes.count))))
        return Array(facts.map { [$0] }.joined(separator: [Span(" · ", .muted)]))
    }

    private func draw(_ picture: Picture, on canvas: inout Canvas, in area: Rect) {
        for row in 0..<min(area.height, (picture.height + 1) / 2) {
            for column in 0..<min(area.width, picture.width) {
                let (upper, lower) = picture.cell(column: column, row: row)
                guard upper != nil || lower != nil else { continue }
                let glyph = upper == nil ? "▄" : "▀"
                let colours = CellColours(foreground: upper ?? lower, background: upper == nil ? nil : lower)
                canvas.write(glyph, at: area.origin.moved(columns: column, rows: row), style: Style(colours), width: 1)
            }
        }
    }
}
