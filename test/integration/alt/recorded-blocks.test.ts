// The recorded receipts and logs of the alt chain, as blocks that a node serves, through capture, folds and verify-tape.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeLogsOf } from '../../../processors/chains/alt/node-logs.ts'
import { splitFrame } from '../../../processors/chains/frame-parts.ts'
import { keyText, mustHexKey, signatureText } from '../../../schemas/keys.ts'
import type { AltTapeEvent, RawFrame } from '../../../schemas/types.ts'
import { register as registerReplay } from '../../../topology/cli/commands/recordings/replay.ts'
import { register as registerVerifyTape } from '../../../topology/cli/commands/recordings/verify-tape.ts'
import { LAUNCHPAD } from '../../../topology/launchpad-in-use.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import { writeRecording } from '../../../topology/sources/recording/recording-file.ts'
import { EvmChain } from '../../fakes/evm-chain.ts'
import { HostileNode } from '../../fakes/evm-node.ts'
import { runCommand } from '../../fakes/run-command.ts'
import { runAlt } from '../../fixtures/alt-given.ts'
import { canonicalOn } from '../../fixtures/live-given.ts'
import { type RpcLog, type Sent, servedBlocks } from '../../fixtures/recorded-evm.ts'
import { run } from '../../fixtures/run-command.ts'
import { Decoding, framesOf, launchLog, openJson, readJson, rpcLog, transaction } from '../../unit/processors/alt/fixtures.ts'

const GRADUATED = { token: '0x63ae1e0f1a756ec4947f3f06efb09c588984ed88', curve: '0x008089e243a611ace236fc4e2127403a3c9e347b' }
const RECORDED = { token: `0x${'11'.repeat(20)}`, curve: '0x36f815a2d12ad8016eb93065a0a5a23708da1aa2' }
/** Tokens of the launch with buys and of the one without. */
const [LAUNCHED, UNBOUGHT] = ['0x22fd486d80b7cce7362ffed59bbf2fd266a148fa', '0xb67f538fa1b65823aab5fdb4e923628f5c65943e'] as const
const RECEIPTS = ['graduation', 'cleanLaunch', 'launch', 'taxedBuy'] as const

/** The launches of two curves precede the recordings: announced here by made logs. */
const ANNOUNCED = [
  rpcLog(62_263_000, transaction(0, []), launchLog(0, GRADUATED.token, GRADUATED.curve)),
  rpcLog(62_361_000, transaction(0, []), launchLog(0, RECORDED.token, RECORDED.curve)),
] as unknown as readonly RpcLog[]

const receipts = (): { readonly from: string; readonly to: string; readonly logs: readonly RpcLog[] }[] =>
  RECEIPTS.map((name) => readJson(name).result)
const sentBy = (): ReadonlyMap<string, Sent> =>
  new Map(receipts().flatMap(({ from, to, logs }) => (logs[0] === undefined ? [] : [[logs[0].transactionHash, { from, to }]])))
const allLogs = (): RpcLog[] => [...ANNOUNCED, ...receipts().flatMap(({ logs }) => logs), ...(readJson('curve').result as RpcLog[])]

/** Without what is told by the sender of a transaction, where no receipt has it. */
const attributed = (event: AltTapeEvent): object => {
  if ('signature' in event && sentBy().has(signatureText(event.signature))) return event
  const { txFrom: _from, txTo: _to, route: _route, wallet: _wallet, walletBy: _by, ...other } = { ...event } as Record<string, unknown>
  return other
}

let folder = ''
let path = ''
let frames: readonly RawFrame[] = []
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'alt-recorded-'))
  const chain = new EvmChain()
  const served = servedBlocks(allLogs(), sentBy())
  chain.blocks = served.slice(0, 1)
  const node = new HostileNode(chain)
  const live = await runAlt(node, createMemoryLog({ partitions: 1 }), { answerMsMax: 5_000, launchpad: nodeLogsOf(LAUNCHPAD) })
  await live.until(() => live.source.tip()?.number === 0)
  chain.blocks = served
  node.announce(chain.head)
  await live.until(() => live.source.tip()?.number === served.length - 1)
  frames = await canonicalOn(live.log)
  await live.stop()
  path = join(folder, 'captured.avro')
  await writeRecording(path, frames.flatMap(splitFrame))
})
afterAll(() => rmSync(folder, { recursive: true }))

test('capture gives the events that the files give', () => {
  const captured = new Decoding().add(...frames)
  const filed = new Decoding().add(...framesOf(...[ANNOUNCED, ...RECEIPTS.map(readJson), readJson('curve')].map(openJson)))
  expect([captured.letters, filed.letters]).toEqual([[], []])
  expect(captured.events.map(({ type }) => type)).toEqual(filed.events.map(({ type }) => type))
  expect(captured.events.map(attributed)).toEqual(filed.events.map(attributed))
})

test('the folds have the reserves of the chain to the wei', async () => {
  const { lines, stderr, error } = await run(registerReplay, 'replay', path, '--print', 'cards')
  expect(error).toBeUndefined()
  expect(stderr.at(-1)).toMatch(/ 0 records not decoded$/)
  const cards = new Map(lines.flatMap((line) => ('token' in line ? [[String(line.token).toLowerCase(), line]] : [])))
  expect(cards.size).toBe(4)
  expect(cards.get(RECORDED.token)).toMatchObject({
    coverage: 'full',
    raised: { quote_units: '1001227946752784009' },
    flow: { n_buys: 22, n_sells: 8 },
  })
  expect(cards.get(LAUNCHED)).toMatchObject({ coverage: 'full', raised: { quote_units: '86145188167917350' }, flow: { n_buys: 2 } })
  expect(cards.get(UNBOUGHT)).toMatchObject({ coverage: 'full', raised: { quote_units: '0' }, flow: { n_buys: 0 } })
  expect(cards.get(GRADUATED.token)).toMatchObject({ coverage: 'thin', lifecycle: { state: 'complete', completed_block: 2 } })
})

test('verify-tape reports the curve whose earlier trades are in no recording, and nothing else', async () => {
  const { out, stderr } = await runCommand(registerVerifyTape, ['verify-tape', path])
  expect(stderr.at(-1)).toBe('found: 1 reserves')
  expect(JSON.parse(out)).toMatchObject({ finding: 'reserves', mint: keyText(mustHexKey(GRADUATED.token)) })
})
