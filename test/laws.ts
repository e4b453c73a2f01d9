// The laws of this project: at most twelve, each with the test that enforces it and a change of one line that breaks it. `npm run laws`
// makes each change in a copy of the tree and shows that exactly that test fails; topology/README.md has them as a table.
import type { Change } from './tools/change.ts'

export interface Law {
  readonly name: string
  readonly rule: string
  readonly why: string
  /** `titles` are as written in the file, from the outermost `describe` to the test. A `test.each` fails if one of its runs fails. */
  readonly test: { readonly file: string; readonly titles: readonly string[] }
  /** Breaks the law within one line. */
  readonly breaking: Change
}

const SETTLE = 'rail.settle({ payload, requirements, attempt: 0 })'

export const LAWS: readonly Law[] = [
  {
    name: 'purity',
    rule: 'Processors read no clock, network, file, environment or random number.',
    why: 'Only a function of the log can be replayed.',
    test: { file: 'test/tidy.test.ts', titles: ['the project', 'has pure processors'] },
    breaking: {
      file: 'processors/wallet/wallet.ts',
      find: 'row.at >= askedAt - FUNDING_S',
      put: 'row.at >= Date.now() / 1_000 - FUNDING_S',
    },
  },
  {
    name: 'layering',
    rule: 'Imports run downwards: `schemas`, `processors`, the modules of `topology`, and `query-api`, which imports only the ports of `topology`.',
    why: 'A module can be read, tested and replaced without those above it.',
    test: {
      file: 'test/tidy.test.ts',
      titles: ['the project', 'imports only downwards: schemas <- processors <- topology; query-api imports only ports'],
    },
    breaking: {
      file: 'query-api/answers/delay.ts',
      find: "import type { MintSnapshot } from '../../topology/ports/mint-view.ts'",
      put: "import type { MintSnapshot } from '../../topology/views/mint-rows.ts'",
    },
  },
  {
    name: 'one wiring',
    rule: 'One value wires sources, processors, sinks, views and topics; only `topology/cli` imports it, and all other modules receive their part of it.',
    why: '`mintfold topology` prints exactly what runs.',
    test: { file: 'test/tidy.test.ts', titles: ['the project', 'has one wiring, which passes topics to all other modules'] },
    breaking: {
      file: 'topology/runtime/replay.ts',
      find: "import type { Topic } from '../../schemas/topics.ts'",
      put: "import { mintTopicsFor, type Topic } from '../../schemas/topics.ts'",
    },
  },
  {
    name: 'order',
    rule: 'Events have one order: their numeric position on the chain, never the time or order of arrival.',
    why: 'Every source, process and replay sees the same sequence.',
    test: { file: 'test/property/position.test.ts', titles: ['order', 'is numeric, not lexicographic'] },
    breaking: { file: 'schemas/position.ts', find: 'a.outer - b.outer', put: 'String(a.outer).localeCompare(String(b.outer))' },
  },
  {
    name: 'time',
    rule: 'A finding about a position uses only data before that position.',
    why: 'If later data leaks into a finding, its track record is worthless.',
    test: {
      file: 'test/unit/processors/creator/creator.test.ts',
      titles: ['the prior of a funder', 'excludes launches and outcomes since the launch that was paid for'],
    },
    breaking: {
      file: 'processors/creator/rows.ts',
      find: 'for (const change of changes) {',
      put: 'for (const change of [] as CreatorCountRow[]) {',
    },
  },
  {
    name: 'undo',
    rule: 'A rollback restores rows, timers and changelog as if the orphaned branch had never been folded.',
    why: 'Chains fork: a folded frame may turn out to be on an orphaned branch.',
    test: {
      file: 'test/property/engine-undo.test.ts',
      titles: ['rolling back k frames restores the rows, timers and changelog of a run without them'],
    },
    breaking: {
      file: 'topology/engine/rows/store.ts',
      find: 'this.#put(aggregate, kind, ids[n], row)',
      put: 'if (row !== undefined) this.#put(aggregate, kind, ids[n], row)',
    },
  },
  {
    name: 'commit',
    rule: 'Outputs, rows and input offsets are one commit.',
    why: 'A task killed at any time neither loses nor duplicates an output.',
    test: {
      file: 'test/property/engine-kills.test.ts',
      titles: ['a task killed %s any commit and taken over neither loses nor duplicates an output'],
    },
    breaking: {
      file: 'topology/engine/runner.ts',
      find: 'await this.#retried(commit)',
      put: 'for (const half of [{ inputs: new Map() }, { outputs: [] }]) await this.#retried({ ...commit, ...half })',
    },
  },
  {
    name: 'replay',
    rule: 'Replay equals live, byte for byte, whatever the partitions, batches and commits.',
    why: 'Anybody with the recording can check every finding.',
    test: {
      file: 'test/integration/replay-equals-live.test.ts',
      titles: ['recorded frames', '%i partitions, batches of %i, commits of %i events'],
    },
    breaking: {
      file: 'topology/engine/task.ts',
      find: 'if (this.heldHeader && this.exchange?.isReady(this.heldHeader) === false) return false',
      put: 'if (this.heldHeader) this.exchange?.isReady(this.heldHeader)',
    },
  },
  {
    name: 'bad data',
    rule: 'Bad data becomes a dead letter with its bytes and position, and processing continues.',
    why: 'Nothing is dropped silently, and no input stops the process.',
    test: {
      file: 'test/unit/processors/solana/gotchas.test.ts',
      titles: [
        'traps of earlier decoders',
        '7. an unknown event is a dead letter with its bytes, and the rest of the transaction is decoded',
      ],
    },
    breaking: {
      file: 'processors/chains/solana/decode-frame.ts',
      find: 'letter(found, why, found.bytes)',
      put: 'letter(found, why, Buffer.alloc(0))',
    },
  },
  {
    name: 'payment first',
    rule: 'A paid answer is sent only after its payment has settled.',
    why: 'Nobody is served for free.',
    test: {
      file: 'test/unit/payment/one-sale.test.ts',
      titles: ['a sale', 'sends the response only after the payment has settled'],
    },
    breaking: {
      file: 'query-api/payment/checkout.ts',
      find: `await ${SETTLE}`,
      put: `{ kind: 'charged', receipt: receiptOf('', rail.network, payer) } as Settlement; void ${SETTLE}`,
    },
  },
  {
    name: 'one payment',
    rule: 'A payment is settled once and buys one answer; copies of the payment get the same answer.',
    why: 'Clients retry, and nobody may pay twice.',
    test: {
      file: 'test/unit/payment/one-sale.test.ts',
      titles: [
        'a sale',
        'settles a payment once, however many copies arrive, answers each copy the same, and refuses it for another request',
      ],
    },
    breaking: {
      file: 'query-api/payment/checkout.ts',
      find: 'if (entry === undefined) return this.#first(claim, order)',
      put: "if (entry?.state !== 'uncertain') return this.#first(claim, order)",
    },
  },
  {
    name: 'nulls',
    rule: 'No answer has a `null` without its reason.',
    why: 'Not observed and false are different facts.',
    test: {
      file: 'test/integration/api-nulls.test.ts',
      titles: ['every null has a reason before the first frame, while stores restore, and without history or chain'],
    },
    breaking: {
      file: 'processors/mint/card/explain.ts',
      find: 'if (value !== null) continue',
      put: 'if (value !== undefined) continue',
    },
  },
]
