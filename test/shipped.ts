// The product's functions bound to its shipped detectors, for tests that need no others.
import { solana } from '../processors/chains/solana/chain.ts'
import { mintEvidence as evidenceOf, launchItem as itemOf, type MintEvidence } from '../processors/mint/card/card.ts'
import type { Moment } from '../processors/mint/card/moment.ts'
import { detectors } from '../processors/mint/detectors/index.ts'
import { createMintProcessor } from '../processors/mint/fold/mint.ts'
import { WatchEvents } from '../processors/mint/watch-events.ts'
import { componentsOf } from '../query-api/answer-schemas/answers.ts'
import { questions } from '../query-api/app/list/questions.ts'
import { labelsOf } from '../query-api/discovery/labels.ts'
import type { Key } from '../schemas/keys.ts'
import type { MintState } from '../schemas/types.ts'

export const mintProcessor = createMintProcessor(detectors, solana)
export const mintEvidence = (mint: Key, state: MintState, moment: Moment): MintEvidence =>
  evidenceOf(mint, state, moment, { chain: solana, detectors })
export const launchItem = (mint: Key, state: MintState, moment: Moment) => itemOf(mint, state, moment, solana)
export const watchEvents = new WatchEvents(detectors)
export const labels = labelsOf(detectors)
export const components = componentsOf(detectors)

/** Name of the schema component of each path's 200 response; documents have none. */
export const answerNames: Readonly<Record<string, string>> = Object.fromEntries(
  questions.flatMap(({ path, schema }) => (schema === undefined ? [] : [[path, schema]])),
)
