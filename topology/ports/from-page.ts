// Recognizes requests that a web page in a browser may have sent: ports that only programs use answer none of them.
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { hostname } from 'node:os'

const HOST = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/

/**
 * True for a Host header that no page of a stranger can have, because DNS rebinding needs a name of the stranger: an address, localhost,
 * the name of this machine, or one of `names`. With any port: a tunnel has another one.
 */
export const isOwnHost = (header: string, names: readonly string[] = []): boolean => {
  const [, bracketed, bare = ''] = HOST.exec(header) ?? []
  const host = (bracketed ?? bare).toLowerCase()
  return isIP(host) !== 0 || ['localhost', hostname(), ...names].some((name) => name.toLowerCase() === host)
}

/**
 * True if a page may have sent a request. Scripts, images and frames of a page send no Origin but, to this machine, Sec-Fetch-Site; other
 * requests send Origin; after DNS rebinding the Host is the page's. An address typed into a browser (`none`) is the user's own request.
 */
export const mayBeFromPage = (
  { host = '', origin, 'sec-fetch-site': site = 'none' }: IncomingHttpHeaders,
  names: readonly string[] = [],
): boolean => !isOwnHost(host, names) || origin !== undefined || (site !== 'none' && site !== 'same-origin')

/** The reason, and what to do if it was a program after all. @param setting where names are set. */
export const refusedPage = (setting: string): string =>
  `requests of web pages are refused: send no Origin, and use an address, localhost or this machine's name as the host (other names: ${setting})`
