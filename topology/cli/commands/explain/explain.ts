// `mintfold explain FINDING_ID`: the evidence of a finding, and whether recomputing it from the tape gives the same finding.
import { writeFile } from 'node:fs/promises'
import { ODDS_HEADS } from '../../../../processors/odds/heads.ts'
import { escapeHidden } from '../../../../processors/text.ts'
import { EngineError } from '../../../../schemas/errors.ts'
import { bundleText } from '../../../operations/bundle/bundle.ts'
import { claimOf } from '../../../operations/bundle/claims.ts'
import { explainFinding, type FindingSources, verdictLine } from '../../../operations/explain/document.ts'
import { type Batch, Recompute, type Recomputed, type Wanted } from '../../../operations/explain/recompute.ts'
import { keptOf } from '../../../operations/explain/stored.ts'
import { type Subject, subjectOf } from '../../../operations/explain/subjects.ts'
import type { KeptFinding } from '../../../ports/history.ts'
import { type Io, type Register, UsageError } from '../../command.ts'
import { createLogger, noticesTo } from '../../output/logger.ts'
import { type Settings, settingsWithoutApi } from '../../settings/settings.ts'
import { Closing } from '../../start/closing.ts'
import { type Held, openHeld } from './held.ts'
import { isOddsId, mintInOddsId, whyOdds } from './odds-why.ts'
import { findingOf, type OnChain, type SubjectChain } from './subject-chains.ts'
import { tapeOfFiles, tapeOfLog } from './tapes.ts'

interface Options {
  readonly in?: readonly string[]
  readonly said?: string
  readonly bundle?: string
  readonly model?: string
}
type ChainSubject = OnChain<Wanted>

const IDS_MAX = 1_000

export const register: Register = (command, io) => {
  command
    .description(
      'Shows the evidence of a finding: its events, the rows that the detector read before and after the causing event, and its thresholds. Recomputes the finding ' +
        'with the production folds from the tape of the running mintfold (data directory or Kafka) or from files. Prints one JSON document per ' +
        'finding. If a recomputed finding differs, its document lists the differences and the exit code is 1. If the tape is no longer kept, the finding and ' +
        'its events come from the history. ' +
        'For the id of a logged odds value it shows the inputs, as why MINT odds does.',
    )
    .argument('<finding_ids...>', 'ids of findings, from cards, replay --print flags or the views flags and alt_flags; or one id of odds')
    .option('--in <files...>', 'recordings, tape files or node responses, oldest first (default: the log)')
    .option('--said <file>', 'the findings to compare with, as lines of replay --print flags (default: from log and history)')
    .option(
      '--bundle <file>',
      'write the finding with the signed transactions or receipts of its events, at most 50 KB, which verify_finding.py checks offline; - for stdout. ' +
        'They are fetched from SOLANA_RPC_URL or ALT_RPC_URL (default: no bundle)',
    )
    .option('--model <file>', 'for odds with --in: the model file to score with, as written by train (default: the models of the log)')
    .action((ids: string[], options: Options) => (ids.some(isOddsId) ? explainValue(ids, options, io) : explain(ids, options, io)))
}

const explainValue = async (ids: readonly string[], { in: files, model, said, bundle }: Options, io: Io): Promise<void> => {
  const [id = ''] = ids
  const mint = mintInOddsId(id)
  if (ids.length > 1 || mint === undefined) throw new UsageError('explain takes findings, or one id of odds: run it once per odds value')
  if (said !== undefined || bundle !== undefined) throw new UsageError('--said and --bundle cannot be used with an id of odds')
  await whyOdds({ mint, heads: ODDS_HEADS, id, limit: 1, isJson: true, in: files, model }, io)
}

const explain = async (ids: readonly string[], options: Options, io: Io): Promise<void> => {
  if (options.model !== undefined) throw new UsageError('--model can only be used with an id of odds')
  if (ids.length > IDS_MAX) throw new UsageError(`explain takes at most ${IDS_MAX} findings, not ${ids.length}`)
  const asked = [...new Set(ids)].map(findingOf)
  if (options.in !== undefined && new Set(asked.map(({ chain }) => chain)).size > 1)
    throw new UsageError('--in reads the files of one chain: run explain once per chain')
  if (options.bundle !== undefined && asked.length > 1) throw new UsageError('--bundle takes one finding')
  const settings = settingsWithoutApi(io.env)
  await new Closing(io.printNotice).after(async (closing) => {
    const held = await openHeld(settings, closing, io, { said: options.said, needsTape: options.in === undefined })
    const answers = options.in === undefined ? fromLog(asked, held, io) : fromFiles(asked, options.in, held, io)
    const { bundle } = options
    if (bundle === undefined) await print(answers, held, options.in !== undefined, io)
    else for await (const answer of answers) await writeBundle(answer, bundle, settings, io)
  })
}

interface Answer {
  readonly one: ChainSubject
  readonly stored: KeptFinding | undefined
  readonly recomputed: Recomputed | undefined
}

/** Explains all findings in one pass over the files. */
async function* fromFiles(asked: readonly ChainSubject[], files: readonly string[], held: Held, io: Io): AsyncGenerator<Answer> {
  const { chain } = asked[0] as ChainSubject
  const work = recomputeOf(
    chain,
    asked.map((one) => one.asked),
  )
  await run(work, tapeOfFiles(files, chain.topology.chain.name, io), io)
  for (const one of asked) yield { one, stored: await held.stored(one), recomputed: work.of(one.asked) }
}

/** Reads the tape once per finding, from about the launch of its mint or curve on. */
async function* fromLog(asked: readonly ChainSubject[], held: Held, io: Io): AsyncGenerator<Answer> {
  for (const one of asked) {
    if (io.stop.aborted) return
    const stored = await held.stored(one)
    yield { one, stored, recomputed: await recomputedFromLog(one, stored, held, io) }
  }
}

const recomputedFromLog = async (
  { chain, asked }: ChainSubject,
  stored: KeptFinding | undefined,
  { log, partitionOf }: Held,
  io: Io,
): Promise<Recomputed | undefined> => {
  if (log === null) return undefined
  const partition = partitionOf(chain, asked.key)
  const launchedAt = stored === undefined || stored.mintAgeS === null ? null : stored.at - stored.mintAgeS
  const from = async (time: number | null): Promise<Recomputed> => {
    const work = recomputeOf(chain, [asked])
    await run(work, tapeOfLog(log, chain.topology, partition, time, io), io)
    return work.of(asked)
  }
  const recomputed = await from(launchedAt)
  return recomputed.isLaunched || launchedAt === null ? recomputed : from(null)
}

const recomputeOf = (chain: SubjectChain, wanted: readonly Wanted[]): Recompute =>
  new Recompute(chain.topology.chain, subjectOf(chain.processor) as Subject, (witness) => chain.folds(witness), wanted)

const run = async (work: Recompute, tape: AsyncIterable<Batch>, io: Io): Promise<void> => {
  for await (const batch of tape) {
    work.take(batch)
    if (work.isDone || io.stop.aborted) return
  }
}

/** `isOfFiles`: the tape comes from files, not from whatever the log still keeps. */
const print = async (answers: AsyncIterable<Answer>, held: Held, isOfFiles: boolean, io: Io): Promise<void> => {
  const missing: string[] = []
  for await (const { one, stored, recomputed } of answers) {
    if (io.stop.aborted) return
    const { chain, asked } = one
    const isOnTape = recomputed?.isLaunched === true
    if (stored === undefined && !isOnTape) {
      missing.push(asked.id)
      continue
    }
    const history = isOnTape || stored === undefined ? undefined : await held.events(one, stored.events)
    const sources: FindingSources = {
      wanted: asked,
      stored,
      recomputed: isOnTape || isOfFiles ? recomputed : undefined,
      ...(history && { history }),
    }
    const detector = chain.detectors.all.find(({ id }) => id === asked.detector)
    const { verdict, document } = explainFinding(chain.topology, chain.processor, detector, sources)
    await io.out(`${printedJson(document)}\n`)
    io.printNotice(verdictLine(asked.id, verdict))
    if (verdict.recomputed === 'differs') io.setExitCode(1)
  }
  if (missing.length > 0)
    throw new EngineError(
      'finding_not_held',
      `${missing.join(', ')}: found neither in the history nor, with the launch of its coin, on the tape`,
    )
}

/** Indented JSON with control characters in foreign names escaped. */
const printedJson = (document: object): string => JSON.stringify(document, null, 2).split('\n').map(escapeHidden).join('\n')

/** A bundle needs the tape, which has the events to prove. */
const writeBundle = async ({ one, stored, recomputed }: Answer, path: string, settings: Settings, io: Io): Promise<void> => {
  const { chain, asked } = one
  const found = recomputed?.found
  const said = stored ?? (found?.id === asked.id ? keptOf(found) : undefined)
  if (said === undefined || recomputed?.isLaunched !== true)
    throw new EngineError(
      'finding_not_held',
      `${asked.id}: a bundle needs the finding and the tape of its events; at least one is no longer kept`,
    )
  const claims = said.events.flatMap((id) => {
    const event = recomputed.events.get(id)
    return event === undefined ? [] : [claimOf(id, event)]
  })
  const notice = noticesTo(createLogger({ logLevel: settings.logLevel, terminal: io.terminal }))
  const bundled = { id: asked.id, chain: chain.topology.chain.name, stored: said, claims }
  const text = await bundleText(bundled, await chain.prover({ ...settings, notice }))
  if (path === '-') await io.out(text)
  else await writeFile(path, text)
  const { events } = JSON.parse(text) as { readonly events: readonly { readonly proof: number | null; readonly proof_reason?: string }[] }
  const without = events.find(({ proof }) => proof === null)
  const proven = events.filter(({ proof }) => proof !== null).length
  io.printNotice(`${proven} of ${events.length} events with a proof${without === undefined ? '' : `: ${without.proof_reason}`}`)
}
