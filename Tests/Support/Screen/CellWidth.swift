import Glibc

/// How many cells a character takes, as ncurses in the child sees it: the system's `wcwidth` under C.UTF-8.
enum CellWidth {
    /// A locale is read-only once made, and is never freed.
    private struct Locale: @unchecked Sendable { let pointer: locale_t? }
    private static let locale = Locale(pointer: newlocale(LC_CTYPE_MASK, "C.UTF-8", nil))

    /// 0 for combining characters and what is not printable, else 1 or 2.
    static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 1 }
        // The locale is the calling thread's, so it is put back for whoever else works on this thread.
        let before = uselocale(locale.pointer)
        defer { uselocale(before) }
        return max(0, Int(GNUFunctions.width(wchar_t(bitPattern: scalar.value))))
    }
}
