// Account bytes of the tests from a folder of recorded answers: what a node gave, and nothing else of the files they came in.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PUMP = '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P'
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'

/** An account as a node gave it; slot null if its recorder did not state it. */
interface Row {
  readonly name: string
  readonly owner: string
  readonly slot: number | null
  readonly data_base64: string
}

interface Answer {
  readonly result: {
    readonly context: { readonly slot: number }
    readonly value: { readonly owner: string; readonly data: readonly [string, string] }
  }
}
interface Pinned {
  readonly rpc: { readonly context_slot: number }
  readonly account: { readonly owner: string; readonly data_base64: string }
}
type Named = readonly { readonly name: string; readonly data_base64: string }[]

const FILES = {
  legacy: 'bonding-curve-legacy-getAccountInfo.json',
  cashback: 'bonding-curve-2026-07-getAccountInfo.json',
  current: 'bonding-curve-current-finalized.json',
  named: 'mint-and-pool-accounts.json',
} as const

const rowsIn = (folder: string): Row[] => {
  const read = <T>(name: string): T => JSON.parse(readFileSync(join(folder, name), 'utf8')) as T
  const ofAnswer = (name: string, { result: { context, value } }: Answer): Row => ({
    name,
    owner: value.owner,
    slot: context.slot,
    data_base64: value.data[0],
  })
  const pinned = read<Pinned>(FILES.current)
  const named = read<Named>(FILES.named)
  const ofName = (name: string, owner: string, from: string): Row => ({
    name,
    owner,
    slot: null,
    data_base64: named.find((row) => row.name === from)?.data_base64 ?? '',
  })
  return [
    ofAnswer('curve of 2024', read(FILES.legacy)),
    { name: 'curve of 2026-06', owner: pinned.account.owner, slot: pinned.rpc.context_slot, data_base64: pinned.account.data_base64 },
    ofAnswer('curve of 2026-07, cashback', read(FILES.cashback)),
    ofName('fresh curve', PUMP, 'REAL_FRESH_CURVE_B64'),
    ofName('mint 3xM2iMg4RZBuzdFpvwYab9cUaVpniuHgLUZRg33ipump', TOKEN_2022, 'REAL_MINT_B64'),
  ]
}

/** Writes accounts.jsonl; gives the page's section on it. */
export const copyAccounts = (source: string, data: string): string => {
  const rows = rowsIn(join(source, 'accounts'))
  mkdirSync(join(data, 'accounts'), { recursive: true })
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  writeFileSync(join(data, 'accounts', 'accounts.jsonl'), text)
  const sha256 = createHash('sha256').update(text).digest('hex')
  return `## Accounts (test/data/solana/accounts)

accounts.jsonl: ${rows.length} accounts as getAccountInfo gave them, owner and bytes: four bonding curves (49, 115 and 151 bytes) and
a Token-2022 mint (406 bytes). The fresh curve and the mint are from Rolanchik01/Project crates/pump/tests and crates/ingest/tests.
sha256 ${sha256}
`
}
