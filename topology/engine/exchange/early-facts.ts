// Facts for the tasks of other processes, sent when an epoch closes: with a commit they would be as late as many frames take to fold.
// What is told is used before it is committed (see exchange.ts). A message that is lost costs only the wait for the commit.
import type { Messages } from '../../ports/log.ts'
import type { ExchangeDefinition } from './exchange.ts'
import { type Closing, type ExchangeRecord, encodeClosings, readExchange } from './exchange-record.ts'

export interface EarlyParts {
  readonly messages: Messages
  readonly definition: ExchangeDefinition
  /** True if the task of a partition runs in this process: it delivers its facts directly. */
  readonly isHere: (partition: number) => boolean
  /** Receives what tasks of other processes tell that fold with this revision of the stores. Must not throw. */
  readonly hear: (record: ExchangeRecord, revision: number) => void
}

/** The messages of the tasks of one chain in a thread. */
export class EarlyFacts {
  readonly #parts: EarlyParts

  constructor(parts: EarlyParts) {
    this.#parts = parts
    parts.messages.listen((key, value) => this.#receive(key, value))
  }
  /** `revision`: of the stores with which the writer folds. */
  tell(closing: Closing, writer: number, revision: number): void {
    const { messages, definition } = this.#parts
    for (const value of encodeClosings(definition.chain, writer, [closing])) messages.send(keyOf(definition.chain, writer, revision), value)
  }

  #receive(key: Buffer, value: Uint8Array): void {
    const { definition, isHere, hear } = this.#parts
    const [chain, writer, revision] = key.toString().split(' ')
    if (chain === definition.chain && !isHere(Number(writer)))
      hear(readExchange(Number(writer), { offset: 0, key, value }), Number(revision))
  }
}

const keyOf = (chain: string, writer: number, revision: number): Buffer => Buffer.from(`${chain} ${writer} ${revision}`)
