// Reads a stored finding from the log.
import type { ConclusionForm } from '../../../schemas/record-forms.ts'
import type { Topic } from '../../../schemas/topics.ts'
import type { Conclusion } from '../../../schemas/types.ts'
import type { KeptFinding } from '../../ports/history.ts'
import type { LogReader } from '../../ports/log.ts'
import { recordsOf } from '../../records/records-of.ts'
import { conclusionEffects } from '../../versions/live-records.ts'

/** Reads one partition of the topic of findings; undefined if the finding was never there, or is no longer retained. */
export const findingOnLog = async (
  log: LogReader,
  topic: Topic,
  partition: number,
  form: ConclusionForm,
  id: string,
): Promise<KeptFinding | undefined> => {
  const effectsOf = conclusionEffects(form)
  let found: { readonly kept: KeptFinding; readonly frame: string } | undefined
  for await (const { value } of recordsOf(log, topic, partition))
    for (const effect of value === null ? [] : effectsOf(value)) {
      if (effect.type === 'publishes' && effect.id === id) {
        const kept = keptIn(form, effect.bytes)
        if (kept !== undefined) found = { kept, frame: effect.frame }
      } else if (found !== undefined && (effect.type === 'withdraws' ? effect.id === id : isGone(effect, found.frame)))
        found = { ...found, kept: { ...found.kept, isRetracted: true } }
    }
  return found?.kept
}

const isGone = (effect: { readonly type: string; readonly frame?: string }, frame: string): boolean =>
  effect.type === 'frame-gone' && effect.frame === frame

const keptIn = ({ codec }: ConclusionForm, bytes: Uint8Array): KeptFinding | undefined => {
  const read = codec.decode(bytes)
  return read.ok ? keptOf(read.value) : undefined
}

/** Undefined for a conclusion that is not a finding. */
export const keptOf = ({ at, body }: Conclusion): KeptFinding | undefined => {
  if (body.type !== 'finding') return undefined
  const { flag, detector, detectorVersion, detectorHash, mintAgeS, evidence, events } = body
  return { flag, detector, detectorVersion, detectorHash, at, mintAgeS, evidence, events, isRetracted: false }
}
