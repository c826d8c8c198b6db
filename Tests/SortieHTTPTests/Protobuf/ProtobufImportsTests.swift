import SortieHTTP
import Testing

@Suite struct ProtobufImportsTests {
    @Test(arguments: [
        ("import \"a.proto\";", ["a.proto"]),
        ("syntax = \"proto3\";\nimport public 'b/c.proto'; import weak \"d.proto\";", ["b/c.proto", "d.proto"]),
        ("import/* \"no.proto\" */\"a.proto\" // import \"no.proto\";\n;", ["a.proto"]),
        ("import \"a\" \".pro\"\n 'to';", ["a.proto"]),
        ("import \"\\x61\\056\\u0070roto\";", ["a.proto"]),
        ("import option \"o.proto\";", ["o.proto"]),
        ("message import { string a = 1; } // \"x\"", []),
        ("option java_package = \"import \\\"a.proto\\\";\";", []),
        ("import \"a.proto\"", ["a.proto"]), ("import \"unclosed\nimport \"b.proto\";", ["unclosed", "b.proto"]), ("/* import \"a.proto\";", []),
    ]) func `the names of imports are read as the compiler reads them`(text: String, names: [String]) {
        #expect(ProtobufImports.names(in: text) == names)
    }
}
