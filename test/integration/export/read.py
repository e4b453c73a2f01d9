# Reads a directory of day files with DuckDB and pandas: read.py DIR. Prints, by table and reader, rows, sums of amounts, and types.
import glob, json, os, sys

import duckdb
import pandas

MANIFEST = json.load(open(os.path.join(sys.argv[1], "manifest.json")))


def amounts_in(names):
    return [name for name in names if name.endswith("_units") and name != "exact_units"]


def of_duckdb(paths):
    rows = duckdb.read_parquet(paths)
    amounts = amounts_in(rows.columns)
    sums = ["count(*)", *[f"coalesce(sum({name}), 0)::VARCHAR" for name in amounts]]
    [(count, *values)] = duckdb.sql(f"SELECT {', '.join(sums)} FROM read_parquet({paths!r})").fetchall()
    return {"rows": count, "sums": dict(zip(amounts, values)), "types": dict(zip(rows.columns, map(str, rows.types)))}


def of_pandas(paths):
    rows = pandas.concat([pandas.read_parquet(path) for path in paths])
    sums = {name: str(sum(int(value) for value in rows[name].dropna())) for name in amounts_in(rows.columns)}
    return {"rows": len(rows), "sums": sums, "types": {name: str(kind) for name, kind in rows.dtypes.items()}}


tables = {}
for file in MANIFEST["files"]:
    if file["table"] != "tape":
        tables.setdefault(file["table"], []).append(os.path.join(sys.argv[1], file["path"]))
print(json.dumps({table: {"duckdb": of_duckdb(paths), "pandas": of_pandas(paths)} for table, paths in tables.items()}))
