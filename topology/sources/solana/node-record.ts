// Refuses a node whose first blocks leave out what the decoder reads.
import { type BlockRecord, CALLS_UNSEEN, faultOf, NODE_ADVICE, recordOf } from '../../../processors/chains/solana/recorded.ts'
import { EngineError } from '../../../schemas/errors.ts'
import type { Notice } from '../../ports/notice.ts'
import type { PlacedBlock } from './feed.ts'

const WAY = `At the node: ${NODE_ADVICE}`

export class NodeRecord {
  readonly #notice: Notice
  #record: BlockRecord | undefined
  #isJudged = false

  constructor(notice: Notice) {
    this.#notice = notice
  }
  /** Reads blocks until trades with their events were found. @throws EngineError (node_blind) */
  check(block: PlacedBlock): void {
    if (this.#isJudged) return
    const record = recordOf(block, this.#record)
    this.#record = record
    const { slot } = block
    const fault = faultOf(record)
    if (fault !== undefined)
      throw new EngineError('node_blind', `up to slot ${slot} the node's blocks have ${fault}. ${WAY}`, { facts: { slot } })
    this.#isJudged = record.traded > 0
    if (this.#isJudged && record.withoutCalls > 0) this.#notice('calls_unseen', { slot, words: `${CALLS_UNSEEN}. ${WAY}` })
  }
}
