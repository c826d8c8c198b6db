/// The functions that exported Python contains.
enum PythonRuntime {
    /// Reads an environment variable.
    static let environment = """
        def env(name):
            \"""The value of an environment variable.\"""
            if name not in os.environ:
                raise SystemExit(f"set the environment variable {name}")
            return os.environ[name]


        """

    /// Expectations and captures, which are compared as `sortie run` does.
    static let checks = #"""
        # Sources of values: a list is a JSON path, a text is the name of a header field.
        STATUS, TIME, ANY, DEEP, NOTHING = object(), object(), object(), object(), object()


        class Number(str):
            """A JSON number with its text."""


        def json_text(value):
            """A value as JSON."""
            if isinstance(value, Number):
                return str(value)
            if isinstance(value, list):
                return "[" + ",".join(json_text(item) for item in value) + "]"
            if isinstance(value, dict):
                return "{" + ",".join(json.dumps(name, ensure_ascii=False) + ":" + json_text(item) for name, item in value.items()) + "}"
            return json.dumps(value, ensure_ascii=False)


        def plain_text(value):
            """A value for a request: a string without its quotes, other values as JSON."""
            return str(value) if isinstance(value, str) else json_text(value)


        def descendants(value):
            yield value
            for child in children(value, ANY, None):
                yield from descendants(child)


        def children(value, selector, root):
            if selector is ANY or callable(selector):
                found = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
                return found if selector is ANY else [item for item in found if selector(item, root)]
            if isinstance(value, dict):
                return [value[selector]] if isinstance(selector, str) and selector in value else []
            if isinstance(value, list):
                if isinstance(selector, slice):
                    return value[selector] if selector.step else []
                if isinstance(selector, int) and -len(value) <= selector < len(value):
                    return [value[selector]]
            return []


        def find(path, start, root=None):
            """The values at a JSON path; filters can refer to the root."""
            root = start if root is None else root
            found = [start]
            for step in path:
                if step[0] is DEEP:
                    found = [inner for value in found for inner in descendants(value)]
                    step = step[1:]
                found = [child for value in found for selector in step for child in children(value, selector, root)]
            return found


        def single(found):
            return found[0] if len(found) == 1 else NOTHING


        def length(value):
            is_counted = isinstance(value, (str, list, dict)) and not isinstance(value, Number)
            return Number(len(value)) if is_counted else NOTHING


        def same(left, right):
            if isinstance(left, Number) or isinstance(right, Number):
                return isinstance(left, Number) and isinstance(right, Number) and float(left) == float(right)
            if isinstance(left, list) and isinstance(right, list):
                return len(left) == len(right) and all(map(same, left, right))
            if isinstance(left, dict) and isinstance(right, dict):
                return left.keys() == right.keys() and all(same(left[name], right[name]) for name in left)
            return type(left) is type(right) and left == right


        def compares(left, test, right):
            """A comparison of a filter (RFC 9535, section 2.3.5.2.2)."""
            if test in ("==", "!="):
                return same(left, right) == (test == "==")
            if test in (">", ">="):
                left, right = right, left
            if test in ("<=", ">=") and same(left, right):
                return True
            if isinstance(left, Number) and isinstance(right, Number):
                return float(left) < float(right)
            is_text = type(left) is str and type(right) is str
            return is_text and left < right


        def matches(value, pattern, is_whole):
            if type(value) is not str or type(pattern) is not str:
                return False
            return bool((re.fullmatch if is_whole else re.search)(pattern, value))


        def read(response, source, seconds):
            """The values of a source; raises ValueError where the body is not JSON."""
            if source is STATUS:
                return [Number(response.status_code)]
            if source is TIME:
                return [Number(seconds * 1000)]
            if isinstance(source, str):
                return [response.headers[source]] if source in response.headers else []
            try:
                root = json.loads(response.content, parse_int=Number, parse_float=Number)
            except ValueError as error:
                raise ValueError(f"a response that is not JSON: {error}") from None
            return find(source, root)


        def equal(value, text):
            if plain_text(value) == text:
                return True
            if isinstance(value, Number):
                try:
                    return float(value) == float(text) and abs(float(value)) < 2**53
                except ValueError:
                    return False
            if isinstance(value, (dict, list)):
                try:
                    return json.loads(text, parse_int=Number, parse_float=Number) == value
                except ValueError:
                    return False
            return False


        def type_of(value):
            if isinstance(value, Number):
                return {"number", "integer"} if float(value).is_integer() else {"number"}
            names = {str: "string", bool: "boolean", type(None): "null", list: "array", dict: "object"}
            return {names[type(value)]}


        def holds(values, test, operand):
            """Whether one of the values satisfies a condition."""
            if test == "missing":
                return not values
            for value in values:
                if test == "exists":
                    return True
                if test == "type" and operand in type_of(value):
                    return True
                if test == "in" and plain_text(value) in operand:
                    return True
                if test == "within" and any(low <= int(value) <= high for low, high in operand):
                    return True
                if test == "=" and equal(value, operand) or test == "!=" and not equal(value, operand):
                    return True
                if test == "matches" and re.search(operand, plain_text(value)):
                    return True
                if test == "shortest" and len(plain_text(value)) >= int(operand):
                    return True
                if test == "longest" and len(plain_text(value)) <= int(operand):
                    return True
                if test in ("<", "<=", ">", ">="):
                    try:
                        left, right = float(plain_text(value)), float(operand)
                    except ValueError:
                        continue
                    if {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[test]:
                        return True
            return False


        def failures(response, checks, seconds):
            """What differs from the expectations."""
            found = []
            for subject, source, test, operand, hidden in checks:
                try:
                    values = read(response, source, seconds)
                    actual = "****" if hidden and values else ", ".join(json_text(value) for value in values[:10]) or "nothing"
                    if holds(values, test, operand):
                        continue
                except ValueError as error:
                    actual = str(error)
                wanted = f"{test} {'****' if hidden and operand else operand}".strip()
                found.append(f"{subject}: expected {wanted}, got {actual}"[:500])
            return found


        def captured(response, captures, values):
            """Stores the values that later requests use; returns what is missing."""
            missing = []
            for name, source, is_one in captures:
                try:
                    found = read(response, source, 0)
                except ValueError as error:
                    missing.append(f"capture {name}: {error}")
                    continue
                if is_one and not found:
                    missing.append(f"capture {name}: the response has no such value")
                else:
                    values[name] = plain_text(found[0] if is_one else found)
            return missing


        """#
}
