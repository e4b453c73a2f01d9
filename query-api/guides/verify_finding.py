#!/usr/bin/env python3
"""Checks a finding's bundle (mintfold explain ID --bundle FILE) offline: python3 verify_finding.py FILE, or - for stdin.

Needs Python 3.9 and the package cryptography. Prints `valid` and what is proven (exit 0), or which byte or field is wrong (exit 1).
The list `proves` of an event names the fields that are proven; `our_word` lists what only the maker of the bundle asserts.
"""
import base64, hashlib, json, os, sys
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

def need(condition, message):
    if not condition:
        raise ValueError(message)

def base58(data):
    number, text = int.from_bytes(data, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        text = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"[digit] + text
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + text

def keccak(data):
    """Keccak-256 of the EVM: sha3_256 of hashlib has another padding."""
    rotated = lambda lane, by: (lane << by | lane >> 64 - by) & (1 << 64) - 1
    state, data = [0] * 25, bytearray(data + b"\1" + b"\0" * (135 - len(data) % 136))
    data[-1] |= 0x80
    for start in range(0, len(data), 136):
        for i in range(17):
            state[i] ^= int.from_bytes(data[start + 8 * i : start + 8 * i + 8], "little")
        lfsr = 1
        for _ in range(24):
            column = [state[x] ^ state[x + 5] ^ state[x + 10] ^ state[x + 15] ^ state[x + 20] for x in range(5)]
            state = [lane ^ column[(i + 4) % 5] ^ rotated(column[(i + 1) % 5], 1) for i, lane in enumerate(state)]
            x, y, lane = 1, 0, state[1]
            for step in range(24):
                x, y = y, (2 * x + 3 * y) % 5
                lane, state[x + 5 * y] = state[x + 5 * y], rotated(lane, (step + 1) * (step + 2) // 2 % 64)
            state = [lane ^ ~state[i // 5 * 5 + (i + 1) % 5] & state[i // 5 * 5 + (i + 2) % 5] for i, lane in enumerate(state)]
            for j in range(7):
                state[0] ^= (lfsr & 1) << (1 << j) - 1
                lfsr = lfsr << 1 ^ (0x171 if lfsr & 0x80 else 0)
    return b"".join(lane.to_bytes(8, "little") for lane in state[:4])

def rlp(data):
    """Consecutive RLP items, each bytes or a list."""
    items = []
    while data:
        size = max(0, data[0] - (0xC0 if data[0] >= 0xC0 else 0x80))
        begin = (data[0] >= 0x80) + max(0, size - 55)
        end = begin + ((size or data[0] < 0x80) if size < 56 else int.from_bytes(data[1:begin], "big"))
        need(end <= len(data), "RLP: truncated")
        items.append(rlp(data[begin:end]) if data[0] >= 0xC0 else data[begin:end])
        data = data[end:]
    return items

def in_trie(root, key, nodes):
    """The value of a key in a Merkle-Patricia trie: the parent of every node contains its hash."""
    digits_of = lambda data: [digit for byte in data for digit in (byte >> 4, byte & 15)]
    path, item, value = digits_of(key), root, None
    for n, node in enumerate(nodes):
        need(value is None and keccak(node) == item, f"nodes[{n}]: its hash is not the one in its parent")
        (item,) = rlp(node)
        while isinstance(item, list) and value is None:
            if len(item) == 17:
                item, value, path = (item[path[0]], None, path[1:]) if path else (None, item[16], path)
                continue
            part = digits_of(item[0])
            is_leaf, part = part[0] & 2, part[2 - (part[0] & 1) :]
            need(path[: len(part)] == part, f"nodes[{n}]: it leads to another receipt")
            item, path = item[1], path[len(part) :]
            value = item if is_leaf and not path else None
    need(value, "nodes: the receipt is missing")
    return value

def compact(data, at):
    value = shift = 0
    while data[at] & 0x80:
        value, shift, at = value | (data[at] & 0x7F) << shift, shift + 7, at + 1
    return value | data[at] << shift, at + 1

def solana(event, proof):
    """Fields that the signed bytes show: signature, mint, user; amounts if a buy or sell of the launchpad's program contains them."""
    wire = base64.b64decode(proof["transaction"], validate=True)
    count, is_v1 = (wire[1], True) if wire[0] == 0x81 else (wire[0], False)
    begin = len(wire) - 64 * count if is_v1 else 1
    message = wire[:begin] if is_v1 else wire[1 + 64 * count :]
    signatures = [wire[begin + 64 * n :][:64] for n in range(count)]
    at = message[0] >> 7
    need(message[at] == count > 0, "transaction: the numbers of signatures and signers differ")
    key_count, at = (message[41], 42) if is_v1 else compact(message, at + 3)
    keys = [message[at + 32 * n :][:32] for n in range(key_count)]
    for key, signature in zip(keys, signatures):
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    need(base58(signatures[0]) == event["signature"], "signature: not the one of the transaction")
    names, is_named, at = [base58(key) for key in keys], False, at + 32 * key_count + 32
    instructions, at = (0, 0) if is_v1 else compact(message, at)
    for _ in range(instructions):
        program, (n, at) = message[at], compact(message, at + 1)
        accounts, (size, at) = message[at : at + n], compact(message, at + n)
        data, at = message[at : at + size], at + size
        if names[program : program + 1] == ["6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P"] and n > 2 and size >= 16:
            is_trade = data[:8].hex() in ("66063d1201daebea", "33e685a4017f83ad") and names[accounts[2] :][:1] == [event["mint"]]
            is_named |= is_trade and str(int.from_bytes(data[8:16], "little")) == event["token_units"]
    found = {"mint": event["mint"] in names, "user": event["user"] in names[:count], "token_units": is_named}
    return ["signature"] + [field for field, is_found in found.items() if is_found]

LAUNCH, BUY, SELL = [keccak(f"{name},uint256,uint256)".encode()) for name in ("TokenLaunched(address,address,address,address",
    "CurveBuy(address,address,uint256,uint256", "CurveSell(address,address,uint256,uint256")]

def alt(event, proof):
    """Fields that the log shows: a log of a successful transaction in the block with this hash."""
    header, (number, index) = bytes.fromhex(proof["header"]), [int(part) for part in event["position"][4:].split(".")[:2]]
    ((_, _, _, _, _, root, _, _, block, *_),) = rlp(header)
    need(keccak(header).hex() == proof["block_hash"], "header: its hash is not block_hash")
    need(event["event_id"].endswith("@" + proof["block_hash"][:8]), "event_id: belongs to another block")
    need([int.from_bytes(block, "big"), proof["index"]] == [number, index], "position: does not match block and transaction")
    size = (index.bit_length() + 7) // 8
    key = bytes([index]) if 0 < index < 0x80 else bytes([0x80 + size]) + index.to_bytes(size, "big")
    receipt = in_trie(root, key, [bytes.fromhex(node) for node in proof["nodes"]])
    ((status, _, _, logs),) = rlp(receipt[receipt[0] < 0xC0 :])
    need(status == b"\1" and 0 <= event["log"] < len(logs), "log: the transaction failed or has no such log")
    address, topics, data = logs[event["log"]]
    word = lambda field: bytes.fromhex((event[field] or "").removeprefix("0x").rjust(64, "0"))
    is_shown = lambda field, n: str(int.from_bytes(data[32 * n :][:32], "big")) == event[field]
    if event["type"] == "launch" and topics[:2] == [LAUNCH, word("mint")]:
        return ["success", "mint"] + ["user"] * (topics[3] == word("user"))
    if event["type"] != "trade" or topics[:1] != [BUY if event["is_buy"] else SELL] or address.rjust(32, b"\0") != word("curve"):
        return ["success"]
    amounts = [field for n, field in enumerate(("token_units", "quote_units")) if is_shown(field, n ^ event["is_buy"])]
    return ["success", "curve"] + ["user"] * (topics[1] == word("user")) + amounts

def check(raw):
    """Returns a sentence that states what is proven. Raises an error that names what is wrong."""
    bundle, text = json.loads(raw), lambda value: json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
    form = text(bundle) + b"\n"
    need(raw == form, f"byte {len(os.path.commonprefix([raw, form]))}: not the canonical form of a bundle")
    digest, finding, events, proofs, used = bundle.pop("sha256"), bundle["finding"], bundle["events"], bundle["proofs"], set()
    need(hashlib.sha256(text(bundle)).hexdigest() == digest, "sha256: does not match the content")
    place, detector, mint = finding["id"].rsplit(":", 2)
    need(bundle["form"] == "mintfold-finding-1" and detector == finding["detector"], "form or finding.detector: does not match the id")
    need(events and ("~" in place or events[-1]["event_id"] == place), "finding.id: does not match the last event")
    for n, event in enumerate(events):
        try:
            need(event["mint"] == mint and event["event_id"].split("@")[0] == event["position"], "event_id: other mint or position")
            proves = {"solana": solana, "alt": alt}[bundle["chain"]](event, proofs[event["proof"]]) if event["proof"] is not None else []
            need(proves == event["proves"], f"proves: the bytes show {proves}")
        except Exception as failure:
            reason = "transaction: a signature is invalid" if isinstance(failure, InvalidSignature) else failure
            raise ValueError(f"events[{n}].{reason}") from None
        used |= {event["proof"]} - {None}
    need(used == set(range(len(proofs))), "proofs: one belongs to no event")
    share, sold, supply = json.loads(finding["evidence"]).get("tokens_share"), events[-1]["token_units"], events[0]["supply_units"]
    need(not (share and sold and supply) or share == int(sold) / int(supply), "finding.evidence: tokens_share does not match the events")
    proven = sum(event["proof"] is not None for event in events)
    return f"valid: {proven} of {len(events)} events proven" + ("" if proven else "; NOTHING IS PROVEN: its maker asserts all of it")

if __name__ == "__main__":
    try:
        print(check(sys.stdin.buffer.read() if sys.argv[1] == "-" else open(sys.argv[1], "rb").read()))
    except Exception as failure:
        sys.exit(print(f"not valid: {failure}") or 1)
