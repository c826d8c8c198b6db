import Glibc

/// The width of characters in cells as ncurses in the child computes it: the system's `wcwidth` under C.UTF-8.
enum CellWidth {
    /// `@unchecked Sendable`: a locale is read-only once created, and is never freed.
    private struct Locale: @unchecked Sendable { let pointer: locale_t? }
    private static let locale = Locale(pointer: newlocale(LC_CTYPE_MASK, "C.UTF-8", nil))

    /// 0 for combining and non-printable characters, otherwise 1 or 2.
    static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 1 }
        // The locale belongs to the calling thread, so it is restored.
        let before = uselocale(locale.pointer)
        defer { uselocale(before) }
        return max(0, Int(GNUFunctions.width(wchar_t(bitPattern: scalar.value))))
    }
}
