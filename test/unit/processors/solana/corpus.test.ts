// Every harvested transaction, against what the harvest's own reader found in it.
import { decodeFrame } from '../../../../processors/chains/solana/decode-frame.ts'
import { type DecodeLine, linesOfFile } from '../../../../processors/chains/solana/decode-lines.ts'
import { findEvents } from '../../../../processors/chains/solana/events/find-events.ts'
import { readTransaction } from '../../../../processors/chains/solana/events/read-transaction.ts'
import { toFrameTransaction } from '../../../../processors/chains/solana/normal-form.ts'
import { toBase58 } from '../../../../schemas/keys.ts'
import { corpusEntries, corpusFiles, corpusVariants } from '../../../fixtures/corpus.ts'
import { framesOf, frameTransaction, manifest, namesIn, open } from './fixtures.ts'

const entries = corpusEntries()
const files = corpusFiles()
/** By the first transaction's signature. */
const fileOf = new Map(entries.map(({ signature }, at) => [signature, files[at] as (typeof files)[number]]))

const signatureOf = (file: (typeof files)[number]): string | undefined => {
  const tx = file.blocks[0]?.transactions[0]
  return tx && toBase58(tx.signature)
}
/** A line without the index in the block, which only some encodings state. */
const unindexed = (line: DecodeLine): DecodeLine => ({ ...line, tx_index: null })

describe('the corpus', () => {
  test('is in the order of its manifest, each transaction once', () => {
    expect(files.map(signatureOf)).toEqual(entries.map(({ signature }) => signature))
    expect(new Set(entries.map(({ signature }) => signature)).size).toBe(94)
  })

  test('has no transaction that other files of the tests have', () => {
    const trades = namesIn('trades-2026-10').filter((name) => name.endsWith('.json'))
    const others = [...manifest.map(({ signature }) => signature), ...trades.map((name) => signatureOf(open(`trades-2026-10/${name}.gz`)))]
    expect(others.length).toBeGreaterThan(30)
    expect(others.filter((signature) => signature !== undefined && fileOf.has(signature))).toEqual([])
  })

  test.each(entries.map((entry) => [entry.signature.slice(0, 8), entry] as const))(
    '%s gives the events of the manifest',
    (_name, entry) => {
      const file = fileOf.get(entry.signature) as (typeof files)[number]
      const lines = [...linesOfFile(file)]
      const bytes = findEvents(frameTransaction(file)).events.map((found) => found.bytes.length)
      expect(lines.filter((line) => 'error' in line)).toEqual([])
      expect(lines.map((line, at) => 'event' in line && { program: line.program, name: line.event, bytes: bytes[at] })).toEqual(
        entry.events,
      )
      expect(lines.every(({ signature, slot }) => signature === entry.signature && slot === entry.slot)).toBe(true)
    },
  )

  test('leaves no dead letter, no call without its event and no frame incomplete', () => {
    const decoded = files.flatMap((file) => framesOf(file).map(decodeFrame))
    expect(decoded.flatMap(({ deadLetters }) => deadLetters)).toEqual([])
    expect(decoded.flatMap(({ incomplete }) => incomplete ?? [])).toEqual([])
    expect(decoded.flatMap(({ events }) => events.filter(({ type }) => type === 'missingEvent'))).toEqual([])
  })

  test('gives nothing of failed transactions and of those of other launchpads', () => {
    const silent = entries.filter(({ events }) => events.length === 0)
    expect([silent.length, silent.filter(({ isFailed }) => isFailed).length]).toEqual([29, 7])
    const read = silent.map(({ signature }) => readTransaction(frameTransaction(fileOf.get(signature) as (typeof files)[number])))
    expect(read.flatMap(({ decoded, failed, silent: calls }) => [...decoded, ...failed, ...calls])).toEqual([])
  })
})

describe('another encoding of a transaction of the corpus', () => {
  const variants = corpusVariants()
  const readable = variants.slice(0, -1)

  test.each(readable.map((file) => [signatureOf(file)?.slice(0, 8), file] as const))('%s gives the same lines', (_name, file) => {
    const twin = fileOf.get(signatureOf(file) as string)
    if (twin === undefined) return expect(signatureOf(file)).toMatch(/^g1fC9wYK/)
    expect([...linesOfFile(file)].map(unindexed)).toEqual([...linesOfFile(twin)].map(unindexed))
  })

  test.each(readable.map((file) => [signatureOf(file)?.slice(0, 8), file] as const))(
    '%s gives the same events by its log alone, up to a cut',
    (_name, file) => {
      const [tx] = file.blocks[0]?.transactions ?? []
      if (tx === undefined) throw new Error('no transaction')
      const [called, logged] = [tx, { ...tx, inner: null }].map((one) => readTransaction(toFrameTransaction(one, 0)))
      const cut = logged?.problems.some(({ code }) => code === 'log_truncated') ? logged.decoded.length : undefined
      expect(logged?.decoded.map(({ event }) => event)).toEqual(called?.decoded.map(({ event }) => event).slice(0, cut))
    },
  )

  test('a foreign form without empty lists is refused with the field that it lacks', () => {
    const [line, ...others] = variants.slice(-1).flatMap((file) => [...linesOfFile(file)])
    expect(others).toEqual([])
    expect(line).toMatchObject({ error: 'bad_transaction', reason: expect.stringMatching(/accounts: Invalid input: expected array/) })
  })
})
