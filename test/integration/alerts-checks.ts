// Conditions that tests of alerts wait for.
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../tools/until.ts'
import type { GivenAlerts } from './alerts-given.ts'

export const DAY_S = 86_400
export const cardUrlOf = (mint: string): string => `https://cards.example/v1/mint/${mint}`

/** The delivery process checks on every attempt. */
export const eventually = (given: () => Pick<GivenAlerts, 'alerts'>, holds: () => boolean | Promise<boolean>): Promise<void> =>
  until(
    () => {
      given().alerts.wake()
      return holds()
    },
    { msMax: 20_000 },
  )

/** Several iterations of the delivery process. */
export const quiet = async ({ alerts }: Pick<GivenAlerts, 'alerts'>): Promise<void> => {
  for (let turn = 0; turn < 4; turn++) {
    alerts.wake()
    await pause(15)
  }
}
