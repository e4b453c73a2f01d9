"""Buys one answer over REST with the x402 package and one over MCP with the mcp package; prints what it got as one JSON line.

Arguments: base URL, wallet file (JSON with secretKey and rpcUrl), mint.
"""

import asyncio
import json
import sys

from mcp import ClientSession
from solders.keypair import Keypair
from x402 import x402Client
from x402.http.clients import x402HttpxClient
from x402.mechanisms.svm.exact.register import register_exact_svm_client
from x402.mechanisms.svm.signers import KeypairSigner
from x402.schemas import PaymentRequired

try:
    from mcp.client.streamable_http import streamable_http_client
except ImportError:
    from mcp.client.streamable_http import streamablehttp_client as streamable_http_client


def new_payer(wallet: dict) -> x402Client:
    signer = KeypairSigner(Keypair.from_bytes(bytes(wallet["secretKey"])))
    return register_exact_svm_client(x402Client(), signer, rpc_url=wallet["rpcUrl"])


async def over_rest(base_url: str, wallet: dict) -> dict:
    async with x402HttpxClient(new_payer(wallet), timeout=60) as client:
        response = await client.get(f"{base_url}/v1/rugs/recent")
        return {"status": response.status_code, "body": response.json(), "has_receipt": "payment-response" in response.headers}


async def over_mcp(base_url: str, wallet: dict, mint: str) -> dict:
    async with streamable_http_client(f"{base_url}/mcp") as streams:
        async with ClientSession(streams[0], streams[1]) as session:
            await session.initialize()
            tools = [tool.name for tool in (await session.list_tools()).tools]
            unpaid = (await session.call_tool("check_launchpad_risk", {"mint": mint})).model_dump(by_alias=True)
            terms = PaymentRequired.model_validate(unpaid["structuredContent"])
            payment = await new_payer(wallet).create_payment_payload(terms)
            meta = {"x402/payment": payment.model_dump(by_alias=True, exclude_none=True, mode="json")}
            paid = (await session.call_tool("check_launchpad_risk", {"mint": mint}, meta=meta)).model_dump(by_alias=True)
            return {"tools": tools, "unpaid": unpaid, "paid": paid}


async def main() -> None:
    base_url, wallet_file, mint = sys.argv[1:4]
    with open(wallet_file, encoding="utf-8") as file:
        wallet = json.load(file)
    print(json.dumps({"rest": await over_rest(base_url, wallet), "mcp": await over_mcp(base_url, wallet, mint)}, default=str))


asyncio.run(main())
