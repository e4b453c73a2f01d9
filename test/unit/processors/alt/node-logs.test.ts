// Logs as returned by a node: which are kept, and the frame of a block.
import { alt, nodeLogs } from '../../../../processors/chains/alt/chain.ts'
import { address, Decoding, framesOf, openJson, readJson } from './fixtures.ts'

const { topics, kept, frameOf } = nodeLogs

interface RpcReceipt {
  readonly blockNumber: string
  readonly blockHash: string
  readonly transactionIndex: string
  readonly from: string
  readonly to: string
  readonly logs: readonly {
    readonly transactionHash: string
    readonly logIndex: string
    readonly address: string
    readonly topics: readonly string[]
    readonly data: string
  }[]
}
const receiptOf = (name: Parameters<typeof readJson>[0]): RpcReceipt => readJson(name).result
const logsOf = ({ logs, transactionIndex }: RpcReceipt) =>
  logs.map((log) => ({ ...log, logIndex: Number(log.logIndex), transactionIndex: Number(transactionIndex) }))
const none = (): boolean => false
const LAUNCHED = '0x22fd486d80b7cce7362ffed59bbf2fd266a148fa'

test('topics are those of all kept events, once each, and no others', () => {
  expect(new Set(topics).size).toBe(topics.length)
  const seen = (['launch', 'taxedBuy', 'graduation'] as const).flatMap((name) => logsOf(receiptOf(name)).map((log) => ({ ...log, name })))
  for (const name of ['launch', 'taxedBuy', 'graduation']) {
    const asked = seen.filter((log) => log.name === name && topics.includes(log.topics[0] ?? ''))
    expect(asked.length).toBeGreaterThan(0)
    expect(kept(asked, () => true).logs).toEqual(asked)
  }
  expect(topics).not.toContain('0x908408e307fc569b417f6cbec5d5a06f44a0a505ac0479b47d421a4b2fd6a1e6')
})

test('a launch is learned from its own block, whose transfers are kept', () => {
  const all = logsOf(receiptOf('launch'))
  const { logs, launched, traded } = kept(all, none)
  expect([launched, traded]).toEqual([[LAUNCHED], [LAUNCHED]])
  expect(logs.map(({ logIndex }) => logIndex)).toEqual([77, 79, 81, 82, 83, 84, 85, 86, 87, 88])
  expect(kept([...all].reverse(), none).logs.map(({ logIndex }) => logIndex)).toEqual([88, 87, 86, 85, 84, 83, 82, 81, 79, 77])
})

test('transfers of a known token are kept, and the token counts as traded if its curve emits an event', () => {
  const all = logsOf(receiptOf('taxedBuy'))
  expect(kept(all, none)).toMatchObject({ logs: [{ logIndex: 21 }, { logIndex: 22 }], launched: [], traded: [] })
  const isKnown = (token: string): boolean => token === LAUNCHED
  expect(kept(all, isKnown)).toMatchObject({ logs: all.map(({ logIndex }) => ({ logIndex })), traded: [LAUNCHED] })
  expect(kept(all.slice(0, 1), isKnown)).toMatchObject({ logs: [{ logIndex: 20 }], traded: [] })
})

test('a foreign factory launches nothing', () => {
  const all = logsOf(receiptOf('cleanLaunch')).map((log) => ({ ...log, address: address(0x99).toLowerCase() }))
  expect(kept(all, none)).toMatchObject({ launched: [], traded: [] })
})

test('the frame of a block decodes like that of the receipt', () => {
  const receipt = receiptOf('launch')
  const { logs } = kept(logsOf(receipt), none)
  const transactions = Array.from({ length: 12 }, () => ({ from: receipt.from, to: receipt.to }))
  const number = Number(receipt.blockNumber)
  const block = { number, hash: receipt.blockHash, time: 1_788_294_573, transactions }
  const frame = frameOf({ block, parent: { number: number - 3, hash: `0x${'ab'.repeat(32)}` }, logs: [...logs].reverse() })
  expect(frame).toMatchObject({ number, hash: receipt.blockHash.slice(2), parentNumber: number - 3, parentHash: 'ab'.repeat(32) })
  expect(frame).toMatchObject({ status: 'processed', whole: true, blockTime: 1_788_294_573, hashSynthetic: false })
  const [fromFile] = framesOf(openJson(readJson('launch')))
  expect(alt.decoder.decode(frame)).toEqual(fromFile && alt.decoder.decode(fromFile))
  expect(new Decoding().add(frame).of('trade')).toHaveLength(1)
})

test('a block without logs has the body of a quiet run, and unknown transactions have no sender', () => {
  const block = { number: 9, hash: `0x${'01'.repeat(32)}`, time: 7, transactions: null }
  const parent = { number: 4, hash: `0x${'02'.repeat(32)}` }
  expect(alt.decoder.decode(frameOf({ block, parent, logs: [] }))).toMatchObject({ events: [], deadLetters: [], launchpadTransactions: 0 })
  const { logs } = kept(logsOf(receiptOf('cleanLaunch')), none)
  expect(alt.decoder.decode(frameOf({ block, parent, logs })).events).toMatchObject([{ type: 'launch', txFrom: null, txTo: null }])
})
