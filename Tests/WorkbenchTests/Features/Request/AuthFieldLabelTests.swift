import SortieHTTP
import Testing

@testable import SortieWorkbench

/// Tests the names of the fields on the Auth tab.
struct AuthFieldLabelTests {
    @Test func `the name of a field is that of its key in words, with abbreviations in capitals`() {
        let labels = OAuth2.Field.allCases.map { AuthField($0).label }
        for label in ["Grant", "Authorization URL", "Device URL", "Token URL", "Redirect URL", "Client ID", "Client authentication"] {
            #expect(labels.contains(label), "\(labels)")
        }
    }
}
