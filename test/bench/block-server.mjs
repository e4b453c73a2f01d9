// A node in a separate process that returns the same recorded block for every slot; prints its address.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { gunzipSync } from 'node:zlib'

const file = new URL('../data/solana/blocks/mainnet-332254908.getBlock-converted.json.gz', import.meta.url)
const recorded = JSON.parse(gunzipSync(readFileSync(file)).toString())
const block = recorded.result ?? recorded
const text = JSON.stringify(block)
/** @param {number} slot */
const hashOf = (slot) => block.blockhash.slice(0, -5) + String(slot).padStart(5, '1').replaceAll('0', 'z')
/** @param {number} slot */
const blockAt = (slot) =>
  text
    .replace(/"parentSlot":\d+/, `"parentSlot":${slot - 1}`)
    .replace(`"previousBlockhash":"${block.previousBlockhash}"`, `"previousBlockhash":"${hashOf(slot - 1)}"`)
    .replace(`"blockhash":"${block.blockhash}"`, `"blockhash":"${hashOf(slot)}"`)

const server = createServer(async (request, response) => {
  const { method, params } = JSON.parse(Buffer.concat(await request.toArray()).toString())
  const slots = () => Array.from({ length: params[1] - params[0] + 1 }, (_, index) => params[0] + index)
  const result = method === 'getBlock' ? blockAt(params[0]) : JSON.stringify(method === 'getBlocks' ? slots() : 1)
  response.setHeader('content-type', 'application/json')
  response.end(`{"jsonrpc":"2.0","id":1,"result":${result}}`)
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${/** @type {{ port: number }} */ (server.address()).port}\n`))
