extension String {
    /// The lines of a text for comments of an exported file, without control characters, which would act on the terminal that shows the file.
    var commentLines: [String] {
        split(whereSeparator: \.isNewline).map { line in
            String(String.UnicodeScalarView(line.unicodeScalars.filter { $0 == "\t" || $0.properties.generalCategory != .control }))
        }
    }
}
