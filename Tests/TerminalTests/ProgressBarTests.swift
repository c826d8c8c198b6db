import SortieTerminal
import Testing

/// Tests the progress bar of the workbench and the commands.
@Suite struct ProgressBarTests {
    @Test(
        arguments: [
            (0.0, "────"), (0.5, "██──"), (1.0, "████"), (0.29, "█▏──"), (0.6, "██▍─"), (-1, "────"), (7, "████"), (.nan, "────"),
        ] as [(Double, String)])
    func `a bar is filled in steps of an eighth of a cell`(fraction: Double, expected: String) {
        #expect(ProgressBar(fraction).text(width: 4) == expected)
    }

    @Test func `each segment of a file is drawn at its place`() {
        let bar = ProgressBar([.init(from: 0, to: 0.25), .init(from: 0.5, to: 0.75), .init(from: 0.75, to: 0.8125)])
        #expect(bar.text(width: 8) == "██──██▌─")
    }

    @Test func `segments in the same cell fill it together`() {
        let bar = ProgressBar([.init(from: 0, to: 0.125), .init(from: 0.25, to: 0.5)])
        #expect(bar.text(width: 2) == "▊─")
    }

    @Test func `the filled and the empty part have separate styles`() {
        #expect(ProgressBar(0.5).spans(width: 4) == [Span("██", .progressFill), Span("──", .progressTrack)])
        #expect(ProgressBar(1).spans(width: 0).isEmpty)
        #expect(ProgressBar(1).spans(width: -3).isEmpty)
    }
}
