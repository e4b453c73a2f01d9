import { claimPort } from '../../topology/history/engine/port.ts'

/** A loopback port that was free a moment ago and that the system never assigns automatically. */
export const freePort = (): Promise<number> => claimPort(0)
