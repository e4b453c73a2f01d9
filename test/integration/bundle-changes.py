"""Changes bundles and prints which changes verify_finding.py accepts: python3 bundle-changes.py FOLDER_OF_IT FILE..."""
import copy, hashlib, json, random, sys
sys.path.insert(0, sys.argv[1])
from verify_finding import check

BYTES, RESEALED = 10_000, 150

def is_taken(raw):
    try:
        check(raw)
        return True
    except Exception:
        return False

def sealed(bundle):
    text = lambda value: json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
    bundle = {name: value for name, value in bundle.items() if name != "sha256"}
    return text({**bundle, "sha256": hashlib.sha256(text(bundle)).hexdigest()}) + b"\n"

def other_text(text, chance):
    at = chance.randrange(len(text))
    return text[:at] + chance.choice([one for one in "0123456789abcdefABCDEF" if one != text[at]]) + text[at + 1 :]

def resealed(bundle, chance):
    """A change of what is proven, under a digest that fits: the signatures and hashes alone have to refuse it."""
    bundle = copy.deepcopy(bundle)
    event = chance.choice([event for event in bundle["events"] if event["proof"] is not None])
    proof = bundle["proofs"][event["proof"]]
    fields = [field for field in event["proves"] if field in event and event[field] is not None]
    # Only receipts prove a transaction's position.
    fields += ["event_id", "position"] if "success" in event["proves"] else []
    field = chance.choice(fields + list(proof) + ["proves"])
    if field == "proves":
        event["proves"] = event["proves"] + [chance.choice(["mint", "user", "token_units", "quote_units", "curve", "success"])]
    elif field == "nodes":
        n = chance.randrange(len(proof["nodes"]))
        proof["nodes"][n] = other_text(proof["nodes"][n], chance)
    elif field in proof:
        proof[field] = proof[field] + 1 if isinstance(proof[field], int) else other_text(proof[field], chance)
    else:
        event[field] = other_text(event[field], chance)
    return bundle

report = {}
for path in sys.argv[2:]:
    raw, chance = open(path, "rb").read(), random.Random(7)
    places = [n % len(raw) for n in range(BYTES)] if len(raw) <= BYTES else chance.sample(range(len(raw)), BYTES)
    taken = []
    for at in places:
        byte = chance.choice([one for one in range(256) if one != raw[at]])
        if is_taken(raw[:at] + bytes([byte]) + raw[at + 1 :]):
            taken.append(at)
    bundle, again = json.loads(raw), []
    for _ in range(RESEALED):
        other = resealed(bundle, chance)
        # Hex digits in another case are the same bytes.
        if json.dumps(other).lower() != json.dumps(bundle).lower() and is_taken(sealed(other)):
            again.append([[a, b] for a, b in zip(bundle["events"] + bundle["proofs"], other["events"] + other["proofs"]) if a != b])
    report[path] = {"words": check(raw), "bytes": len(raw), "taken": taken, "resealed": again}
print(json.dumps(report))
