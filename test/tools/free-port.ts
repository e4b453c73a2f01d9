import { claimPort } from '../../topology/history/engine/port.ts'

/** A port of loopback that was free a moment ago, and that the system gives to nobody by itself. */
export const freePort = (): Promise<number> => claimPort(0)
