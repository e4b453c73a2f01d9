// Findings with their proof: bundles of real transactions and receipts. A short script verifies them, and detects every change of them.
import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseSignature, type Signature, toBase58 } from '../../schemas/keys.ts'
import { eventId } from '../../schemas/position.ts'
import type { BatchOf, ChainEvent } from '../../schemas/record-forms.ts'
import type { Chain, RawFrame } from '../../schemas/types.ts'
import { replayOf } from '../../topology/cli/commands/recordings/replay-file.ts'
import { BUNDLE_BYTES_MAX, bundleText } from '../../topology/operations/bundle/bundle.ts'
import { claimOf } from '../../topology/operations/bundle/claims.ts'
import type { Claim, Prover } from '../../topology/ports/proof.ts'
import { headerSchema, receiptSchema } from '../../topology/sources/alt/proof/block-bytes.ts'
import { receiptProver } from '../../topology/sources/alt/proof/prover.ts'
import { unproven } from '../../topology/sources/alt/proof/receipt-proof.ts'
import { receiptProof } from '../../topology/sources/alt/proof/receipts-trie.ts'
import { readRecording } from '../../topology/sources/recording/recording-file.ts'
import { transactionProver } from '../../topology/sources/solana/proof/prover.ts'
import { unsigned } from '../../topology/sources/solana/proof/signed.ts'
import { AnvilLaunchpad } from '../fixtures/anvil-launchpad.ts'
import { Anvil, describeAnvil } from '../services/anvil.ts'
import { describeGiven } from '../services/describe-given.ts'
import { INSTALL_MS_MAX, isPythonAsked, pythonWith } from '../services/python.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { buyOf, launchOf, type NodeLog, recordedTransactions } from './bundle-given.ts'

const run = promisify(execFile)
const GUIDES = join(__dirname, '../../query-api/guides')
const BLOCK = join(__dirname, '../data/solana/blocks/mainnet-332254908.ConfirmedBlock.pb.gz')
const RECORDING = join(__dirname, '../recordings/blocks.avro')

interface Bundle {
  readonly events: readonly (Claim & {
    readonly proof: number | null
    readonly proof_reason?: string
    readonly proves: readonly string[]
  })[]
  readonly proofs: readonly object[]
  readonly left_out: readonly string[]
}
type Event = ChainEvent & Parameters<typeof claimOf>[1]['event'] & { readonly mint: never; readonly signature: never }

let dir = ''
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'mintfold-bundle-'))
})
afterAll(() => removeDirectory(dir))

const framesOf = async (path: string, number: number): Promise<RawFrame[]> => {
  const frames: RawFrame[] = []
  for await (const frame of readRecording(path)) if (frame.number === number) frames.push(frame)
  return frames
}
const claimsOf = (batch: BatchOf<ChainEvent>, mint: unknown): Claim[] =>
  batch.events
    .filter((event) => (event as Event).mint === mint && event.type !== 'transfer')
    .map((event) => claimOf(eventId({ ...batch, ...event }, batch.hash8), { frame: batch, event }))

/** A bundle of these events, as if a detector had found something in them. */
const bundleOf = (chain: Chain, claims: readonly Claim[], prover: Prover | null): Promise<string> => {
  const last = claims.at(-1) as Claim
  const stored = {
    flag: 'a_flag',
    detector: 'a-detector',
    detectorVersion: 1,
    detectorHash: null,
    at: 1,
    mintAgeS: 1,
    evidence: '{"sol":0.1}',
    events: [],
    isRetracted: false,
  }
  return bundleText({ id: `${last.event_id}:a-detector:${last.mint}`, chain, stored, claims }, prover)
}
const toLatin1 = (base58: string): string => parseSignature(base58) ?? ''
const toText = (latin1: string): string => toBase58(latin1 as Signature)
const read = (text: string): Bundle => JSON.parse(text) as Bundle

describe('signed transactions of a recorded block', () => {
  const wires = recordedTransactions(BLOCK)
  const node = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    request.on('end', () => {
      const { id, params } = JSON.parse(text) as { readonly id: unknown; readonly params: readonly [string] }
      const wire = wires.get(toLatin1(params[0]))
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify({ jsonrpc: '2.0', id, result: wire === undefined ? null : { transaction: [wire.toString('base64'), 'base64'] } }),
      )
    })
  })
  let prover: Prover
  let batch: BatchOf<ChainEvent>
  afterAll(() => node.close())
  beforeAll(async () => {
    await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
    prover = transactionProver({ url: `http://127.0.0.1:${(node.address() as AddressInfo).port}`, notice: () => {} })
    const folds = replayOf('solana').folds()
    batch = (await framesOf(RECORDING, 332_254_908)).flatMap((frame) => folds.decode(frame) ?? [])[0] as BatchOf<ChainEvent>
  })
  const mints = (): unknown[] => [...new Set(batch.events.map((event) => (event as Event).mint))].filter((mint) => mint !== undefined)

  test('every transaction of the launchpad verifies, byte for byte, and shows its signers and accounts', async () => {
    const shown = new Map<string, number>()
    for (const mint of mints()) {
      const { events } = read(await bundleOf('solana', claimsOf(batch, mint), prover))
      for (const { proof, proof_reason, proves } of events) {
        expect([proof_reason, proof]).toEqual([undefined, expect.any(Number)])
        for (const field of proves) shown.set(field, (shown.get(field) ?? 0) + 1)
      }
    }
    expect(Object.fromEntries(shown)).toMatchObject({ signature: expect.any(Number), mint: expect.any(Number), user: expect.any(Number) })
    expect(shown.get('token_units')).toBeGreaterThan(3)
  })
  test('refuses another transaction, a truncated one and one with a changed byte', () => {
    const [signature = '', wire = Buffer.alloc(0)] = [...wires][5] ?? []
    const text = toText(signature)
    expect(unsigned(wire, text)).toBeUndefined()
    expect(unsigned(wire.subarray(1), text)).toBeDefined()
    expect(unsigned(wire, toText([...wires][6]?.[0] ?? ''))).toBe('it is another transaction')
    const other = Buffer.from(wire)
    other[other.length - 1] = (other.at(-1) ?? 0) ^ 1
    expect(unsigned(other, text)).toBeDefined()
  })
  test('with more events than fit, includes the first and the last, and lists the others as left out', async () => {
    const claims = batch.events
      .filter(({ type }) => type === 'trade' || type === 'launch')
      .flatMap((event) => claimsOf(batch, (event as Event).mint))
    const many = Array.from({ length: 130 }, (_, n) => claims[n % claims.length] as Claim)
    const text = await bundleOf('solana', many, prover)
    expect(text.length).toBeLessThanOrEqual(BUNDLE_BYTES_MAX)
    const { events, left_out } = read(text)
    expect([events[0], events.at(-1)]).toMatchObject([{ event_id: many[0]?.event_id, proof: 0 }, { event_id: many.at(-1)?.event_id }])
    expect(left_out.length).toBeGreaterThan(0)
    expect(events.length + left_out.length).toBe(many.length)
  })
  test('without a node states that nothing is proven', async () => {
    const { events, proofs } = read(await bundleOf('solana', claimsOf(batch, mints()[0]), null))
    expect([proofs, events.every(({ proof, proof_reason }) => proof === null && proof_reason?.startsWith('no node'))]).toEqual([[], true])
  })
  test('some event has four proven fields; its bundle is written for the script', async () => {
    const best = await Promise.all(mints().map(async (mint) => bundleOf('solana', claimsOf(batch, mint), prover)))
    const named = best.filter((text) => read(text).events.some(({ proves }) => proves.length === 4))
    writeFileSync(join(dir, 'solana.json'), named.sort((a, b) => a.length - b.length)[0] ?? '')
    expect(named.length).toBeGreaterThan(0)
  })
})

describeAnvil('receipts of a real node', () => {
  let anvil: Anvil
  let claims: Claim[] = []
  let prover: Prover
  const asked = async <T>(method: string, ...params: unknown[]): Promise<T> => (await anvil.ask(method, ...params)) as T
  beforeAll(async () => {
    anvil = await Anvil.start(['--gas-limit', '9000000000'])
    const launchpad = await AnvilLaunchpad.deploy(anvil)
    const [deployer = '', ...buyers] = launchpad.accounts
    const launched = await launchpad.launched(await launchpad.launch(deployer, 10n ** 16n))
    await asked('evm_setAutomine', false)
    // 150 buys in one block: enough receipts for keys of one and of two bytes in the trie, with and without a shared prefix.
    for (let n = 0; n < 150; n++) await launchpad.buy(buyers[n % buyers.length] ?? '', launched, 10n ** 12n + BigInt(n))
    await asked('evm_mine')
    const logs = await asked<NodeLog[]>('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' })
    const launch = logs.find(({ topics, address }) => address === launchpad.factory && topics.length === 4) as NodeLog
    const buys = logs.filter(({ address, topics }) => address === launched.curve && topics.length === 3 && Number(launch.blockNumber) > 0)
    const inBlock = buys.filter(({ blockNumber }) => blockNumber !== launch.blockNumber)
    claims = [launchOf(launch), ...inBlock.map((log) => buyOf(log, launched.token))]
    prover = receiptProver({ url: anvil.rpcUrl, notice: () => {} })
  })
  afterAll(() => anvil.stop())

  test('each event is in a receipt that leads to the hash of its block, and the log shows its amounts', async () => {
    expect(claims.length).toBeGreaterThan(140)
    const some = [claims[0], claims[1], claims[127], claims[128], claims.at(-1)] as Claim[]
    const text = await bundleOf('alt', some, prover)
    const { events } = read(text)
    expect(events.map(({ proof_reason }) => proof_reason)).toEqual(some.map(() => undefined))
    expect(events[0]?.proves).toEqual(['success', 'mint', 'user'])
    expect(events.slice(1).map(({ proves }) => proves)).toEqual(
      some.slice(1).map(() => ['success', 'curve', 'user', 'token_units', 'quote_units']),
    )
    writeFileSync(join(dir, 'alt.json'), await bundleOf('alt', [claims[0], claims.at(-1)] as Claim[], prover))
  })
  test('a node whose receipts or header do not match their hash proves nothing', async () => {
    const number = `0x${Number(/:(\d+)/.exec(claims.at(-1)?.position ?? '')?.[1]).toString(16)}`
    const header = headerSchema.parse(await asked('eth_getBlockByNumber', number, false))
    const receipts = (await asked<object[]>('eth_getBlockReceipts', number)).map((receipt) => receiptSchema.parse(receipt))
    expect(unproven({ header, receipts })).toBeUndefined()
    expect(unproven({ header: { ...header, gasUsed: '0x1' }, receipts })).toContain('the header of the node')
    const other = receipts.map((receipt, n) => (n === 77 ? { ...receipt, cumulativeGasUsed: '0x1' } : receipt))
    expect(unproven({ header, receipts: other })).toContain('the receipts of the node')
  })
  test('reports a claim that the node does not confirm', async () => {
    const [claim] = claims.slice(-1) as [Claim]
    const elsewhere = { ...claim, event_id: `${claim.position}@00000000` }
    const without = { ...claim, position: claim.position.replace(/\d+$/, '9999') }
    expect(await prover.prove(elsewhere)).toBe('the node has another block of this number')
    expect(await prover.prove(without)).toBe('the block has no such log')
    expect(await prover.prove({ ...claim, token_units: '1' })).toMatchObject({ proves: ['success', 'curve', 'user', 'quote_units'] })
  })
})

test('the trie of one receipt is that receipt', () => {
  const { proof, root } = receiptProof(['0xc0'], 0)
  expect([proof.length, root.length]).toEqual([1, 66])
})

const scriptTests = (): void => {
  test(
    'accepts both bundles; refuses 10,000 changes of a byte of each, and changes of proven data under a recomputed digest',
    async () => {
      const python = await pythonWith(['cryptography==48.0.0'])
      const files = ['solana.json', 'alt.json'].map((name) => join(dir, name))
      const { stdout } = await run(python, [join(__dirname, 'bundle-changes.py'), GUIDES, ...files], { timeout: INSTALL_MS_MAX })
      const report = JSON.parse(stdout) as Record<string, { words: string; taken: number[]; resealed: string[] }>
      for (const file of files) {
        expect(report[file]).toMatchObject({ taken: [], resealed: [] })
        expect(report[file]?.words).toMatch(/^valid: (\d+) of \1 events proven$/)
      }
    },
    INSTALL_MS_MAX,
  )
}
describeGiven('verify_finding.py', scriptTests, {
  isThere: isPythonAsked,
  lack: 'set PYTHON_TESTS=yes to make a virtual environment with cryptography',
})
