// Recognizes loopback hosts: servers with free or play-money answers bind to nothing else.
import { isIPv4 } from 'node:net'

/** True for addresses that only this machine can reach. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
