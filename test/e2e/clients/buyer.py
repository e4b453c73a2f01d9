"""Buys answers over REST with the x402 package and one over MCP in each revision with the mcp package; prints what it got as one JSON line.

Arguments: base URL, wallet file (JSON with secretKey and rpcUrl), mint, then the paths to buy over REST.
"""

import asyncio
import json
import sys

from mcp import Client
from solders.keypair import Keypair
from x402 import x402Client
from x402.http.clients import x402HttpxClient
from x402.mechanisms.svm.exact.register import register_exact_svm_client
from x402.mechanisms.svm.signers import KeypairSigner
from x402.schemas import PaymentRequired


def new_payer(wallet: dict) -> x402Client:
    signer = KeypairSigner(Keypair.from_bytes(bytes(wallet["secretKey"])))
    return register_exact_svm_client(x402Client(), signer, rpc_url=wallet["rpcUrl"])


async def over_rest(base_url: str, wallet: dict, path: str) -> dict:
    async with x402HttpxClient(new_payer(wallet), timeout=60) as client:
        response = await client.get(f"{base_url}{path}")
        return {"status": response.status_code, "body": response.json(), "has_receipt": "payment-response" in response.headers}


async def over_mcp(mode: str, base_url: str, wallet: dict, mint: str) -> dict:
    async with Client(f"{base_url}/mcp", mode=mode) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        unpaid = (await client.call_tool("check_launchpad_risk", {"mint": mint})).model_dump(by_alias=True)
        terms = PaymentRequired.model_validate(unpaid["structuredContent"])
        payment = await new_payer(wallet).create_payment_payload(terms)
        meta = {"x402/payment": payment.model_dump(by_alias=True, exclude_none=True, mode="json")}
        paid = (await client.call_tool("check_launchpad_risk", {"mint": mint}, meta=meta)).model_dump(by_alias=True)
        return {"revision": client.protocol_version, "tools": tools, "unpaid": unpaid, "paid": paid}


async def main() -> None:
    base_url, wallet_file, mint, *paths = sys.argv[1:]
    with open(wallet_file, encoding="utf-8") as file:
        wallet = json.load(file)
    bought = [await over_mcp(mode, base_url, wallet, mint) for mode in ("legacy", "auto")]
    rest = [await over_rest(base_url, wallet, path) for path in paths]
    print(json.dumps({"rest": rest, "mcp": bought}, default=str))


asyncio.run(main())
