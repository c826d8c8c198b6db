import Base
import Benchmarks
import DemoServer
import Guide
import Model
import Networking
import Storage
import Support
import Terminal
import Workbench

/// Lists the orders of a shop whose URL is the argument.
@main struct Shop {
    static func main() async {
        let modules: [any Sendable] = [
            BaseType(), BenchmarksType(), DemoServerType(), GuideType(), ModelType(), NetworkingType(), StorageType(), SupportType(), TerminalType(),
            WorkbenchType(),
        ]
        guard modules.count == 10, CommandLine.arguments.count == 2 else { return print("usage: Shop URL") }
        for order in await orders(of: "demo", from: CommandLine.arguments[1], complain: { @Sendable text in print(text) }) { print(order.id) }
    }
}
