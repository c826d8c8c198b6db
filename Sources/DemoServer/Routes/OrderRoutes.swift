import Foundation
import SortieBase

/// Routes of a small shop: a list by page, a feed by cursor, and single orders.
enum OrderRoutes {
    static let total = 57

    static func all(_ demo: Demo) -> [Route] {
        [
            .get(
                "/orders", "Orders by page in the business envelope: ?page=1&size=20&total=57; a page past the end is empty.", handle: list
            ),
            .get("/orders/{id}", "One order, 1 to \(total); 404 for another number.", handle: detail),
            .get("/feed", "The same orders by cursor: follow result.next until it is null; ?size=10.", handle: feed),
        ]
    }

    static func list(_ call: Call) throws -> Reply {
        let page = try call.integer("page", default: 1, in: 1...1_000_000)
        let size = try call.integer("size", default: 20, in: 1...100)
        let total = try call.integer("total", default: total, in: 0...total)
        let first = (page - 1) * size + 1
        let items = first > total ? [] : (first...min(total, first + size - 1)).map(order)
        return .envelope([
            "items": .array(items), "total": .integer(total), "page": .integer(page), "size": .integer(size),
        ])
    }

    private static func detail(_ call: Call) throws -> Reply {
        guard let id = Int(call.parameter("id")) else {
            throw Problem(400, "The id of an order is a number, not \"\(call.parameter("id"))\".")
        }
        guard (1...total).contains(id) else { throw Problem(404, "There is no order \(id); there are 1 to \(total).") }
        guard case .object(let members) = order(id) else { return .envelope(order(id)) }
        let lines: [JSON] = (1...(id % 3 + 1)).map { line in
            [
                "sku": .string("SKU-\(id * 10 + line)"), "quantity": .integer(line),
                "title": .string(titles[(id + line) % titles.count]),
            ]
        }
        return .envelope(.object(members + [.init("lines", .array(lines)), .init("note", id % 4 == 0 ? "请在下午送货 🚚" : .null)]))
    }

    private static func feed(_ call: Call) throws -> Reply {
        let size = try call.integer("size", default: 10, in: 1...100)
        var start = 1
        if let cursor = call.query["cursor"], !cursor.isEmpty {
            guard let data = Data(base64Encoded: cursor), let text = String(data: data, encoding: .utf8),
                text.hasPrefix("after:"),
                let last = Int(text.dropFirst(6)), (1...total).contains(last)
            else { throw Problem(400, "The cursor \"\(cursor)\" was not issued by this server; omit it to start from the first order.") }
            start = last + 1
        }
        let end = min(total, start + size - 1)
        let items = start > total ? [] : (start...end).map(order)
        let next = end < total ? JSON.string(Data("after:\(end)".utf8).base64EncodedString()) : .null
        return .envelope(["items": .array(items), "next": next])
    }

    private static let titles = [
        "Teekanne aus Gußeisen", "青花瓷茶杯", "Crème brûlée torch", "Ёлочные игрушки", "抹茶セット", "Smörgås board", "Pencil box",
        "قهوة عربية",
        "Set of 6 spoons", "Żurek bowl 🥣",
    ]
    private static let customers = [
        "王小明", "Jürgen Groß", "Zoë Ødegård", "佐藤 花子", "Łukasz Żółć", "Ольга Петрова", "José Peña", "김민준", "Anna Smith",
        "ليلى حسن",
        "Nguyễn Thị Hoa",
    ]

    /// The order with a given number; identical in every run of the server.
    static func order(_ id: Int) -> JSON {
        [
            "id": .integer(id),
            "title": .string(titles[id % titles.count]),
            "price": .number(price(cents(id))),
            "customer": .string(customers[id % customers.count]),
            "created": .string(CalendarTime(secondsSince1970: Double(1_767_225_600 + id * 40_321)).iso8601),
            "paid": .bool(id % 5 != 0),
        ]
    }

    /// The price of an order in hundredths.
    static func cents(_ id: Int) -> Int { 490 + id * 1237 % 25_000 }

    /// A price with two decimals.
    static func price(_ cents: Int) -> String { "\(cents / 100).\(String(100 + cents % 100).dropFirst())" }
}
