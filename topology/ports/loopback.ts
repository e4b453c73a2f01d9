// Which hosts are this machine alone: free and play-money answers bind nothing else.
import { isIPv4 } from 'node:net'

/** True for addresses that only this machine reaches. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
