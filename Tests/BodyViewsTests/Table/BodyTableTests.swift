import BodyViews
import SortieBase
import SortieHTTP
import Support
import Testing

struct BodyTableTests {
    private func table(_ text: String, _ type: String = "application/json", at offset: Int = 0) throws -> BodyTable {
        var table = try #require(BodyFixtures.view(text, type).table(at: offset))
        while table.canAdvance { table.advance(budget: 1000) }
        return table
    }

    /// The texts of all cells, with `·` where there is none.
    private func texts(_ table: BodyTable) -> [[String]] {
        table.offsets(ofRows: 0..<table.rowCount).map { table.cells(at: $0).map { $0?.text ?? "·" } }
    }

    private func sorted(_ table: BodyTable, _ column: Int, ascending: Bool = true) throws -> [Int] {
        let order = try #require(table.sorted(by: column, ascending: ascending) { _ in false })
        return (0..<order.count).map { order[$0].row }
    }

    @Test func `the columns are the names of all objects in the order in which they occur`() throws {
        let table = try table(#"{"items":[{"id":10,"name":"b"},{"name":"a\nc","tags":["x", 1]},5,{"id":null,"ok":true,"o":{ "a" : 1 }}],"n":1}"#)
        #expect(table.columns.map(\.name) == ["id", "name", "tags", "", "ok", "o"])
        #expect(table.columns.map(\.isNumeric) == [true, false, false, false, false, false])
        #expect(
            texts(table) == [
                ["10", "b", "·", "·", "·", "·"], ["·", "a\nc", #"["x",1]"#, "·", "·", "·"], ["·", "·", "·", "5", "·", "·"],
                ["null", "·", "·", "·", "true", #"{"a":1}"#],
            ])
        #expect(table.isComplete && table.path(ofRow: 3, column: 4) == "$.items[3].ok")
    }

    @Test func `the array at the cursor is preferred to the one that contains it, and that to the first one`() throws {
        let text = #"{"a":[{"b":[{"deep":1}]},{"c":2}],"d":[{"e":1}]}"#
        func path(at part: String) throws -> String {
            let offset = try #require(text.firstRange(of: part)).lowerBound.utf16Offset(in: text)
            return try table(text, at: offset).path(ofRow: 0, column: -1)
        }
        #expect(try path(at: #""deep""#) == "$.a[0].b[0]")
        #expect(try path(at: #""c""#) == "$.a[0]")
        #expect(try path(at: #""e""#) == "$.d[0]")
        #expect(try table(text).path(ofRow: 0, column: -1) == "$.a[0]")
        #expect(BodyFixtures.view("[1, [2]]").table(at: 0) == nil)
        #expect(BodyFixtures.view(#"["[{", "{"]"#).table(at: 0) == nil)
    }

    @Test func `each value of a sequence is a row`() throws {
        let table = try table("{\"a\":1}\n{\"b\":\"}\"}\n\n{\"a\":3}\n", "application/x-ndjson")
        #expect(texts(table) == [["1", "·"], ["·", "}"], ["3", "·"]])
        #expect(table.path(ofRow: 1, column: 1) == "2: $.b")
    }

    @Test func `records of separated values are rows below the names of the first one`() throws {
        let semicolon = try table("name;price\r\n\"A;\"\"b\"\r\n;2\r\n\r\n\"two\nlines\";-1.5e2;more\r\n", "text/csv")
        // A field without a name is in a column with its number.
        #expect(semicolon.columns.map(\.name) == ["name", "price", "3"])
        #expect(texts(semicolon) == [["A;\"b", "·", "·"], ["·", "2", "·"], ["two\nlines", "-1.5e2", "more"]])
        #expect(semicolon.columns[1].isNumeric && semicolon.path(ofRow: 2, column: 1) == "record 3, price")
        #expect(try texts(table("a\tb\n1\t2", "text/tab-separated-values")) == [["1", "2"]])
        #expect(try table("only,names", "text/csv").rowCount == 0)
        #expect(BodyFixtures.view("a,b\n1,2", "text/plain").table(at: 0) == nil)
    }

    @Test func `a quote within a field is text`() throws {
        let table = try table("size,name\n5\" pipe,a\n\"6\"\"\",\"b,\nc\"\n7\",d", "text/csv")
        #expect(texts(table) == [["5\" pipe", "a"], ["6\"", "b,\nc"], ["7\"", "d"]])
    }

    @Test func `separated values are no table before the whole first record has arrived`() throws {
        let bytes = Array("id,\"na\nme\",\n1,2\n".utf8)
        for count in [5, 8, 11] {
            #expect(!BodyView.make(bytes: BodyBytes(Array(bytes[..<count])), contentType: "text/csv", isFinal: false).hasTable(at: 0), "\(count)")
        }
        let view = BodyView.make(bytes: BodyBytes(Array(bytes[..<12])), contentType: "text/csv", isFinal: false)
        var table = try #require(view.table(at: 0))
        #expect(table.columns.map(\.name) == ["id", "na\nme", ""] && table.rowCount == 0)
        table.grow(to: BodyBytes(bytes), isFinal: true)
        #expect(texts(table) == [["1", "2", "·"]])
    }

    @Test func `only the start of a body is searched for the first record and for an array`() {
        let blanks = String(repeating: " ", count: 70_000)
        #expect(!BodyFixtures.view("a,\"\(blanks)\n1,2\n", "text/csv").hasTable(at: 0))
        #expect(!BodyFixtures.view("[\(blanks){\"a\":1}]").hasTable(at: 0))
        #expect(!BodyFixtures.view("\(blanks){\"a\":1} {\"a\":2}", "application/x-ndjson").hasTable(at: 0))
    }

    @Test func `a table does not grow by another text of its body`() throws {
        let type = "application/json; charset=ISO-8859-1"
        var view = BodyFixtures.view(Array(#"[{"a":"#.utf8) + [0x22, 0xE9, 0x22] + Array("}]".utf8), type)
        let table = try #require(view.table(at: 0))
        #expect(view.grown(table) != nil)
        view.show(.hex)
        #expect(view.grown(table) == nil)
        #expect(BodyFixtures.view(Array("[{}]".utf8), type).grown(table) == nil)
    }

    @Test func `numbers are sorted by value, texts by their scalars, missing values last`() throws {
        let table = try table(#"[{"n":10},{"n":9.5},{"n":"10"},{"n":-1e3},{},{"n":null},{"n":"9"},{"n":true},{"n":[]},{"n":false}]"#)
        #expect(try sorted(table, 0) == [9, 7, 3, 1, 0, 2, 6, 8, 4, 5])
        #expect(try sorted(table, 0, ascending: false) == [8, 6, 2, 0, 1, 3, 7, 9, 4, 5])
    }

    @Test func `a sort keeps the order of equal values, and compares more than the start of a text`() throws {
        let table = try table(
            #"[{"k":"same start b"},{"k":"same start a"},{"k":"same start b"},{"k":"é"},{"k":"\u00e9"},{"k":"z"},{"k":"same"}]"#)
        #expect(try sorted(table, 0) == [6, 1, 0, 2, 5, 3, 4])
        #expect(try sorted(table, 0, ascending: false) == [3, 4, 5, 0, 2, 1, 6])
        let records = try self.table("k,v\nsame start b,1\nsame start a,2\nsame start b,3\n", "text/csv")
        #expect(try sorted(records, 0) == [1, 0, 2] && sorted(records, 1, ascending: false) == [2, 1, 0])
    }

    @Test func `a name is the same with and without escapes, and the first of several members with one name counts`() throws {
        let table = try table(#"[{"né":3},{"n\u00e9":2,"né":9},{ "o" : {"né":0} , "né" : 1 }]"#)
        #expect(table.columns.map(\.name) == ["né", "o"])
        #expect(try texts(table) == [["3", "·"], ["2", "·"], ["1", #"{"né":0}"#]] && sorted(table, 0) == [2, 1, 0])
    }

    @Test func `a sort that is stopped has no result`() throws {
        let table = try table("[" + (0..<100).map { "{\"a\":\($0)}" }.joined(separator: ",") + "]")
        #expect(table.sorted(by: 0, ascending: true) { _ in true } == nil)
        #expect(table.sorted(by: 7, ascending: true) { _ in false } == nil)
    }

    @Test func `any row of a large array is found from a checkpoint, and large rows are not read to their end`() throws {
        let pad = { String(repeating: "x[{\\\"", count: $0) }
        let items = (0..<4000).map { #"{"index":\#($0),"pad":"\#(pad($0 % 1000 == 7 ? 50_000 : $0 % 40))","last":\#($0)}"# }
        let table = try table("[" + items.joined(separator: " ,\n ") + "]")
        #expect(table.rowCount == 4000 && table.memoryUse < 100_000)
        for row in [0, 1, 6, 7, 8, 1006, 1007, 1008, 2500, 3999] {
            let offset = try #require(table.offsets(ofRows: row..<row + 1).first)
            let cells = table.cells(at: offset)
            #expect(cells[0]?.text == "\(row)")
            #expect((cells[2]?.text == "\(row)") == (row % 1000 != 7))
            #expect(table.row(containing: offset + 3) == row)
        }
    }

    @Test func `rows are added while the body arrives, and are the same as at once`() throws {
        let text = #"{"a":"[","rows":[{"x":1,"y":"\"]"},{"x":2},{"z":[{"x":3}]}],"after":[{"no":1}]}"#
        let bytes = Array(text.utf8)
        var view = BodyView.make(bytes: BodyBytes(Array(bytes[..<20])), contentType: "application/json", isFinal: false)
        var table = try #require(view.table(at: 0))
        for count in 20...bytes.count {
            view.grow(to: BodyBytes(Array(bytes[..<count])), isFinal: count == bytes.count)
            table = try #require(view.grown(table))
        }
        #expect(table.isComplete && texts(table) == [["1", #""]"#, "·"], ["2", "·", "·"], ["·", "·", #"[{"x":3}]"#]])
        #expect(try texts(table) == texts(self.table(text)))
    }

    @Test func `a cell is copied as text, or as the JSON of the body`() throws {
        let table = try table(#"[{"s":"a\tb","o":{ "k": [1, 2] },"n":1.50}]"#)
        let cells = try table.cells(at: #require(table.offsets(ofRows: 0..<1).first)).compactMap(\.self)
        #expect(cells.map { table.copyText(of: $0, limit: 100) } == ["a\tb", #"{ "k": [1, 2] }"#, "1.50"])
        #expect(table.copyText(of: cells[1], limit: 5) == nil)
    }
}
