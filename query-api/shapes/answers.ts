// The schema of every answer, by path of its question: named parts, so that documents hold each once.

import { creator } from '../answer-schemas/creator.ts'
import { either as eitherCoverage } from '../answer-schemas/envelope.ts'
import { jsonSchemas } from '../answer-schemas/json-schema.ts'
import { wallet } from '../answer-schemas/wallet.ts'
import { fullCardShape, fullLaunchShape } from './card-shapes.ts'
import { catalogShape, manifestShape } from './catalog-shapes.ts'
import { checkItemShape, checkResultShape, coverageShape, findingShape, noChangeShape, watchShape, withheldShape } from './check-shapes.ts'
import { graduationShape, listTypes, missingTypes, regimeShapes, rugShape } from './record-shapes.ts'
import { envelopeShape, healthShape, indexShape, invalidShape, labelsShape, paymentRequiredShape, refusalShape } from './service-shapes.ts'
import { ref, type Schema, shapeOf, type Types } from './shape.ts'
import { streamDataShapes, streamEventShape } from './stream-shapes.ts'
import { thinCardShape, thinLaunchShape } from './thin-shapes.ts'

const either = (full: Schema, thin: Schema): Schema => ({ oneOf: [envelopeShape('full', full), envelopeShape('thin', thin)] })
const DELAYED: Types = { delayed_s: 'count' }
const listOf = (item: string, more: Types = {}): Schema =>
  either(shapeOf(listTypes(item, more)), shapeOf(listTypes(item, { ...missingTypes, ...more })))

/** By name, for `#/components/schemas/`. */
const converted = jsonSchemas({
  CreatorAnswer: eitherCoverage(creator.full, creator.thin),
  WalletAnswer: eitherCoverage(wallet.full, wallet.thin),
})
export const components: Readonly<Record<string, Schema>> = {
  FullMintCard: fullCardShape,
  ThinMintCard: thinCardShape,
  FullLaunch: fullLaunchShape,
  ThinLaunch: thinLaunchShape,
  Launch: { oneOf: [ref('FullLaunch'), ref('ThinLaunch')] },
  Rug: rugShape,
  Graduation: graduationShape,
  CheckItem: checkItemShape,
  MintAnswer: either(ref('FullMintCard'), ref('ThinMintCard')),
  LaunchesAnswer: listOf('Launch'),
  RugsAnswer: listOf('Rug'),
  GraduationsAnswer: listOf('Graduation'),
  CreatorAnswer: converted.CreatorAnswer as Schema,
  WalletAnswer: converted.WalletAnswer as Schema,
  RegimeAnswer: either(regimeShapes.full, regimeShapes.thin),
  SampleLaunchesAnswer: listOf('Launch', DELAYED),
  SampleRugsAnswer: listOf('Rug', DELAYED),
  CheckAnswer: envelopeShape('full', { oneOf: [checkResultShape, noChangeShape] }),
  CheckCoverageAnswer: either(coverageShape, coverageShape),
  WatchAnswer: envelopeShape('full', watchShape),
  EvidenceAnswer: envelopeShape('full', { oneOf: [findingShape, withheldShape] }),
  IndexAnswer: envelopeShape('full', indexShape),
  LabelsAnswer: envelopeShape('full', labelsShape),
  HealthAnswer: healthShape,
  CatalogAnswer: catalogShape,
  ManifestAnswer: manifestShape,
  StreamEvent: streamEventShape,
  ...streamDataShapes,
  Refusal: refusalShape,
  ValidationError: invalidShape,
  PaymentRequired: paymentRequiredShape,
}

/** What `data` of an answer may be. */
export const dataSchemas = (name: string): readonly Schema[] => {
  const { oneOf = [components[name]] } = components[name] as { readonly oneOf?: readonly Schema[] }
  return oneOf.map((envelope) => (envelope as { readonly properties: { readonly data: Schema } }).properties.data)
}

/** Name of the component that a 200 of a path is. */
export const answerNames: Readonly<Record<string, string>> = {
  '/v1/mint/{mint}': 'MintAnswer',
  '/v1/launches/recent': 'LaunchesAnswer',
  '/v1/rugs/recent': 'RugsAnswer',
  '/v1/graduations/recent': 'GraduationsAnswer',
  '/v1/creator/{address}': 'CreatorAnswer',
  '/v1/wallet/{address}': 'WalletAnswer',
  '/v1/check/mint/{mint}': 'CheckAnswer',
  '/v1/check/watchlist': 'CheckAnswer',
  '/v1/check/coverage': 'CheckCoverageAnswer',
  '/v1/check/watch': 'WatchAnswer',
  '/v1/evidence/{finding_id}': 'EvidenceAnswer',
  '/': 'IndexAnswer',
  '/health': 'HealthAnswer',
  '/v1/labels': 'LabelsAnswer',
  '/v1/market/regime': 'RegimeAnswer',
  '/v1/sample/launches': 'SampleLaunchesAnswer',
  '/v1/sample/rugs': 'SampleRugsAnswer',
  '/v1/sample/mint': 'MintAnswer',
  '/v1/x402/resources': 'CatalogAnswer',
  '/.well-known/x402': 'ManifestAnswer',
}

/** Answers in their readers' own shapes, without the envelope. */
const BARE: ReadonlySet<string> = new Set(['HealthAnswer', 'CatalogAnswer', 'ManifestAnswer'])
/** Whether a 200 of a path comes in the envelope. */
export const hasMeta = (path: string): boolean => answerNames[path] !== undefined && !BARE.has(answerNames[path])
