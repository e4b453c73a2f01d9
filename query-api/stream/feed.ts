// The flags of the stream in chain order: complete, confirmed, applied in all partitions, and at least `DELAY_S` old.
import { explain } from '../../processors/mint/card/explain.ts'
import { keyText } from '../../schemas/keys.ts'
import { formatPosition } from '../../schemas/position.ts'
import type { FlagRecord } from '../../topology/ports/chain-view.ts'
import { DELAY_S } from '../answers/delay.ts'
import { rugItem } from '../answers/market/rugs.ts'
import type { Service } from '../answers/service.ts'
import { type Entry, FlagPages, type Frontier } from './flag-pages.ts'

export class FlagFeed extends FlagPages {
  readonly #service: Service

  constructor(service: Service) {
    super(service.options.view, () => frontierOf(service))
    this.#service = service
  }
  textOf({ isRetracted, record }: Entry, hasId: boolean): string {
    const id = hasId ? `id: ${formatPosition(record)}\n` : ''
    const data = isRetracted ? retractedItem(record) : { ...rugItem(this.#service, record), delayed_s: DELAY_S }
    return `${id}event: ${isRetracted ? 'retracted' : 'flag'}\ndata: ${JSON.stringify(data)}\n\n`
  }
}

const frontierOf = (service: Service): Frontier | null => {
  const instant = service.instant()
  if (instant === null || !instant.status.ready || instant.status.folded === null) return null
  const { number, time } = instant.status.folded
  const confirmed = service.options.view.finality()?.confirmed ?? number
  return { at: Math.min(instant.moment.asOf - DELAY_S, time), number: Math.min(number, confirmed) }
}

const retractedItem = (record: FlagRecord) =>
  explain(
    {
      finding_id: record.findingId,
      position: formatPosition(record),
      flag: record.flag,
      mint: keyText(record.mint),
      creator: record.creator && keyText(record.creator),
      t: record.at,
      delayed_s: DELAY_S,
    },
    { creator: 'its launch is not stored' },
  )
