# Runs statements, a JSON list on stdin, in an embedded ClickHouse under a new directory: history-engines.py DIR. Prints its version and the failed statements.
import json, sys, types

for name in ("pandas", "pyarrow"):  # only named in annotations of what is used here
    missing = types.ModuleType(name)
    missing.__getattr__ = lambda attribute: object
    sys.modules[name] = missing
from chdb import session  # noqa: E402

engine = session.Session(sys.argv[1])
failures = []
for statement in json.load(sys.stdin):
    try:
        engine.query(statement)
    except Exception as failure:
        failures.append({"statement": statement, "failure": str(failure)[:500]})
print(json.dumps({"version": str(engine.query("SELECT version()", "TSVRaw")).strip(), "failures": failures}))
