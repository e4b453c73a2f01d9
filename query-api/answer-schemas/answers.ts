// The schemas of all answers by component name. Published documents include each schema once and refer to it.
import * as z from 'zod'
import { curveDetectors } from '../../processors/curve/detectors/index.ts'
import { alertChallenge, alertMessage, alertReceipt } from './alert.ts'
import { fullCard, fullLaunch, thinCard, thinLaunch } from './card.ts'
import { catalog, index, labels, manifest } from './catalog.ts'
import { check, checkItem, coverageOfMints, evidence, watch } from './check.ts'
import { cohort } from './cohort.ts'
import { creator } from './creator.ts'
import { curveFlagSchemas, curveRegimeWindows, fullCurve, fullCurveLaunch, missingBlocks, thinCurve, thinCurveLaunch } from './curve.ts'
import { either, envelope, missing } from './envelope.ts'
import { type FlagSchemas, flagSchemas } from './flags.ts'
import { health } from './health.ts'
import { jsonSchemas } from './json-schema.ts'
import { graduation, regime, rugShape } from './market.ts'
import { calibration } from './odds/calibration.ts'
import { outcomes, proof } from './odds/outcomes.ts'
import { trackRecord } from './odds/track-record.ts'
import { perDetectors } from './per-detectors.ts'
import { radarData, radarRow } from './ranked.ts'
import { invalid, paymentRequired, refusal } from './refusals.ts'
import { launchesSince, sinceItem } from './since.ts'
import { streamData, streamEvent } from './stream.ts'
import { altPosition, count, evmAddress, fields, reason, wholeSeconds } from './vocabulary.ts'
import { wallet } from './wallet.ts'

const listOf = (item: z.ZodType, more: Readonly<Record<string, z.ZodType>> = {}) => {
  const list = { count, items: z.array(item) }
  const notDelivered = 'newest gap within the window: slots that were not delivered'
  return either(fields({ ...list, ...more }), fields({ ...list, ...missing(notDelivered), ...more }))
}
const curveSchemas = () => {
  const flags = curveFlagSchemas(curveDetectors)
  const cards = { FullAltCurve: fullCurve(flags), ThinAltCurve: thinCurve }
  const launches = { AltLaunch: fullCurveLaunch(flags), ThinAltLaunch: thinCurveLaunch(flags) }
  const items = z.array(z.discriminatedUnion('coverage', [launches.AltLaunch, launches.ThinAltLaunch]))
  return {
    ...cards,
    ...launches,
    AltCurveAnswer: either(cards.FullAltCurve, cards.ThinAltCurve),
    AltLaunchesAnswer: either(fields({ count, items }), fields({ count, items, ...missingBlocks })),
    AltRegimeAnswer: either(curveRegimeWindows.full, curveRegimeWindows.thin),
    AltFlag: flags.name,
    AltFlagEvidence: flags.evidence,
    AltCardFlags: flags.fired,
  }
}
/** How evidence of curve findings differs from that of mints. */
const ON_CURVES = { token: evmAddress.describe('the token'), causedAt: altPosition, label: 'alt_flags' }
const DELAYED = { delayed_s: wholeSeconds }

/** By name in `#/components/schemas/`. */
export const answerSchemas = (flags: FlagSchemas): Readonly<Record<string, z.ZodType>> => {
  const cards = { FullMintCard: fullCard(flags), ThinMintCard: thinCard(flags) }
  const launches = { FullLaunch: fullLaunch(flags), ThinLaunch: thinLaunch(flags) }
  const launch = z.discriminatedUnion('coverage', [launches.FullLaunch, launches.ThinLaunch])
  const rug = fields(rugShape(flags))
  const item = checkItem(flags)
  const market = regime(flags)
  const row = radarRow(flags)
  const radar = radarData(row)
  const sinceLaunch = sinceItem(launches.FullLaunch)
  const since = launchesSince(sinceLaunch)
  return {
    ...cards,
    ...launches,
    ...curveSchemas(),
    Launch: launch,
    Rug: rug,
    Graduation: graduation,
    CheckItem: item,
    PreviewRow: row,
    SinceLaunch: sinceLaunch,
    MintAnswer: either(cards.FullMintCard, cards.ThinMintCard),
    LaunchesAnswer: listOf(launch),
    LaunchesSinceAnswer: either(since.full, since.thin),
    PreviewAnswer: either(radar.full, radar.thin),
    RugsAnswer: listOf(rug),
    GraduationsAnswer: listOf(graduation),
    CreatorAnswer: either(creator.full, creator.thin),
    WalletAnswer: either(wallet.full, wallet.thin),
    CohortAnswer: either(cohort.full, cohort.thin),
    RegimeAnswer: either(market.full, market.thin),
    CalibrationAnswer: either(calibration.full, calibration.thin),
    TrackRecordAnswer: either(trackRecord.full, trackRecord.thin),
    OutcomesAnswer: either(outcomes.full, outcomes.thin),
    OddsProofAnswer: envelope('full', proof),
    SampleLaunchesAnswer: listOf(launch, DELAYED),
    SampleRugsAnswer: listOf(rug, DELAYED),
    CheckAnswer: envelope('full', check(flags, item)),
    CheckCoverageAnswer: either(coverageOfMints, coverageOfMints),
    WatchAnswer: envelope('full', watch),
    AlertAnswer: envelope('full', alertReceipt),
    AlertMessage: alertMessage,
    AlertChallenge: alertChallenge,
    EvidenceAnswer: envelope('full', z.union([evidence(flags), evidence(curveFlagSchemas(curveDetectors), ON_CURVES)])),
    IndexAnswer: envelope('full', index),
    LabelsAnswer: envelope('full', labels),
    HealthAnswer: health,
    CatalogAnswer: catalog,
    ManifestAnswer: manifest,
    StreamEvent: streamEvent,
    ...streamData(flags),
    Refusal: refusal,
    ValidationError: invalid,
    PaymentRequired: paymentRequired,
    Flag: flags.name,
    WatchEvent: flags.events,
    FlagEvidence: flags.evidence,
    CardFlags: flags.fired,
    FlagCounts: flags.counts,
    Reason: reason,
  }
}
export const componentsOf = perDetectors((detectors) => jsonSchemas(answerSchemas(flagSchemas(detectors))))
