// Files of chain data as nodes, clients, explorers and shells make them: what decode, import and replay read of each.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { register as decode } from '../../../topology/cli/commands/recordings/decode.ts'
import { register as importing } from '../../../topology/cli/commands/recordings/import.ts'
import { register as replay } from '../../../topology/cli/commands/recordings/replay.ts'
import { packedFiles } from '../../fixtures/packed-files.ts'
import { type Ran, run } from '../../fixtures/run-command.ts'

const FILES = new Map([...packedFiles('forms'), ...packedFiles('found')])
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mintfold-forms-'))
})
afterAll(() => rmSync(folder, { recursive: true }))
const write = (name: string, bytes: Buffer | undefined): string => {
  const path = join(folder, name.replaceAll('/', '-'))
  writeFileSync(path, bytes ?? '')
  return path
}
const reasonsOf = ({ lines }: Ran): string[] => lines.flatMap(({ reason }) => (typeof reason === 'string' ? [reason] : []))

/** The number of events, and the reasons of error lines. */
type Readable = readonly [name: string, events: number, errors?: readonly RegExp[]]
const NULL = /the node returned null: it does not have this transaction or block \(any more\); ask another node$/
const READABLE: readonly Readable[] = [
  ['01-array-of-results.json', 3],
  ['02-batch-of-envelopes.json', 3],
  ['03-lines-of-results.jsonl', 3],
  ['04-lines-of-envelopes.jsonl', 3],
  ['05-batch-one-null.json', 2, [/^index 1: the node returned null/]],
  ['08-lines-with-null.jsonl', 3, [/^line 2: the node returned null/]],
  ['09-bom.json', 2],
  ['10-utf16.json', 2],
  ['11-crlf.jsonl', 3],
  ['12-gtfa.json', 3],
  ['13-transactionNotification.json', 2],
  ['15-inner-null.json', 2],
  ['16-inner-and-logs-null.json', 0, [/^create of pump succeeded, but .* has 0 of its 1 events$/, /^buy of pump succeeded, but/]],
  ['17-inner-empty-array.json', 2],
  ['18-no-slot.json', 2],
  ['19-blocktime-null.json', 2],
  ['21-block-accounts.json', 0, [/^transactionDetails "accounts" has no instructions: ask for the block with "full"$/]],
  ['23-block-meta-null.json', 1, [/^meta is null: the node does not keep the results of this transaction; ask another node$/]],
  ['24-block-ok.json', 3],
  ['27-base64.json', 2],
  ['28-base58.json', 2],
  ['29-base58-bare-string.json', 2],
  ['30-loadedAddresses-missing.json', 2],
  ['31-two-same.json', 2],
  ['32-slot-as-text.json', 2],
  ['33-pretty.json', 2],
  ['34-pretty-lines.jsonl', 3],
  ['35-meta-status-only-err-missing.json', 2],
  ['36-failed-err-missing-status.json', 0],
  ['37-log-truncated-inner-null.json', 1, [/^the log is cut/, /^buy of pump succeeded, but/]],
  ['38-log-truncated-inner-present.json', 2],
  ['40-empty-array.json', 0],
  ['evm-01-removed.json', 2, [/^log: removed: removed by a reorg$/]],
  ['evm-02-pending.json', 1, [/^log: blockNumber: null, as before the block exists$/]],
  ['evm-03-duplicate-log.json', 2],
  ['evm-04-ethers-numbers.json', 3],
  ['evm-05-viem-dump.json', 3],
  ['evm-06-etherscan.json', 3],
  ['evm-07-receipts-array.json', 14],
  ['evm-08-batch-receipts.json', 14],
  ['evm-09-batch-one-null.json', 11, [NULL]],
  ['evm-10-lines-receipts.jsonl', 14],
  ['evm-11-failed-receipt-with-logs.json', 0, [/^receipt: status: failed, but there are 3 logs$/]],
  ['evm-12-subscription.json', 1],
  ['evm-15-checksummed-upper.json', 1],
  ['evm-16-empty.json', 0],
  ['evm-17-logindex-per-tx.json', 2],
  ['evm-18-two-hashes-one-block.json', 2],
  ['future-events.jsonl', 2, [/^pump has no known event 0102030405060708$/, /^BuyEvent: ix_name has a count of 4294967040/]],
  ['oct-boost_buy_and_burn-LK86c649.json', 2],
  ['oct-multihop-one-hop.json', 1],
  ['oct-sell_v2-AcrDzvio.json', 1],
  ['own-sell_v2-then-multihop-same-pool.json', 2],
  ['story-1-create.json', 3],
  ['story-2-migrate.json', 2],
  ['story-3-boost.json', 2],
  ['0xjeffro/photon_pumpfun_buy_0.json', 1],
  ['0xjeffro/photon_pumpfun_buy_1.json', 1],
  ['0xjeffro/pumpfun_buy_0.json', 1],
  ['0xjeffro/pumpfun_buy_1.json', 1],
  ['0xjeffro/pumpfun_sell_0.json', 1],
  ['ChainBuff/raw-fail.json', 1],
  ['ChainBuff/raw-open.json', 1],
  ['ChainBuff/raw-open1.json', 1],
  ['GeyserWatch/tokens-as-getTransaction.json', 1],
  ['GeyserWatch/tokens.json', 1],
  ['MAL/oct-sell_v2-AcrDzvio.json', 1],
  ...[...FILES.keys()].filter((name) => name.startsWith('staketaxcsv/')).map((name): Readable => [name, 0]),
]

const REFUSED: readonly (readonly [name: string, reason: RegExp])[] = [
  ['06-result-null.json', NULL],
  ['07-error.json', /the node returned an error: -32015 Transaction version \(1\) is not supported/],
  ['14-logsNotification.json', /a notification of logsSubscribe has no accounts: fetch its transaction with getTransaction$/],
  ['20-block-signatures.json', /a block without its transactions.*: ask for it with transactionDetails "full"$/],
  ['22-block-none.json', /a block without its transactions.*: ask for it with transactionDetails "full"$/],
  ['25-block-skipped.json', /the node returned an error: -32007 Slot 1 was skipped, or missing due to ledger jump to recent snapshot$/],
  ['26-getBlocks.json', /a list of 3 plain values, as of getBlocks: fetch each block or transaction$/],
  ['39-empty.json', /it is empty$/],
  ['evm-13-range-error.json', /the node returned an error: -32005 query returned more than 10000 results/],
  ['evm-14-null.json', NULL],
]

test('every file of the folder is in one of the tables', () => {
  const named = [...READABLE, ...REFUSED].map(([name]) => name)
  expect(named.sort()).toEqual([...FILES.keys()].sort())
})

test.each(READABLE.map(([name, events, errors = []]) => ({ name, events, errors })))(
  '$name is read: $events events',
  async ({ name, events, errors }) => {
    const ran = await run(decode, 'decode', write(name, FILES.get(name)))
    expect(ran.error).toBeUndefined()
    expect(reasonsOf(ran)).toEqual(errors.map((error) => expect.stringMatching(error)))
    expect(ran.stderr.at(-1)).toBe(`${events} events, ${errors.length} records that could not be decoded, 1 files`)
  },
)

test.each(REFUSED)('%s is refused with what it is', async (name, reason) => {
  const path = write(name, FILES.get(name))
  const words = expect.stringMatching(reason.source.replace(/\$$/, '\\. mintfold decode --help lists the supported formats\\.$'))
  const ran = await run(decode, 'decode', path)
  expect([ran.lines, ran.error]).toEqual([[], expect.objectContaining({ name: 'UsageError', message: words })])
  expect((ran.error as Error).message).toMatch(`${path} has no chain data that mintfold can read: `)
  expect((ran.error as Error).message.match(/no chain data/g)).toHaveLength(1)
  expect((await run(importing, 'import', path, '--out', join(folder, 'x.avro'))).error).toMatchObject({ message: words })
  expect((await run(replay, 'replay', path)).error).toMatchObject({ code: 'not_chain_data', message: words })
})

test.each([...FILES.keys()].filter((name) => /^(05|08|21|23|evm-01|evm-02|evm-09|evm-11)/.test(name)))(
  'decode, import and replay print the same problems of %s',
  async (name) => {
    const path = write(name, FILES.get(name))
    const problems = reasonsOf(await run(decode, 'decode', path)).map((reason) => expect.stringContaining(reason))
    const imported = await run(importing, 'import', path, '--out', join(folder, 'made.avro'))
    const replayed = await run(replay, 'replay', path)
    const skipped = ({ stderr }: Ran): string[] => stderr.filter((line) => line.startsWith('skipped: '))
    expect([skipped(imported), skipped(replayed)]).toEqual([problems, problems])
    expect(replayed.stderr.at(-1)).toMatch(new RegExp(`, ${problems.length} records not decoded$`))
  },
)

test('a printed gRPC update gives the same lines as the answer of getTransaction', async () => {
  const [printed, answer] = await Promise.all(
    ['GeyserWatch/tokens.json', 'GeyserWatch/tokens-as-getTransaction.json'].map((name) =>
      run(decode, 'decode', write(name, FILES.get(name))),
    ),
  )
  expect(printed?.lines).toEqual(answer?.lines)
})
