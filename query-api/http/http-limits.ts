// Limits of the HTTP server.

/** A payment header is about 1.5 KB; requests with echoed extensions are far smaller than this. */
export const HEADER_BYTES_MAX = 16 * 1024
/** Open sockets of all callers and proxies together: `Connections` makes room as they fill up. */
export const CONNECTIONS_MAX = 4096
/** Lower bound of the limit of open sockets per address that is not a trusted proxy; the limit grows with the configured request rate. */
export const CONNECTIONS_PER_ADDRESS_MIN = 256
/** Timeout of idle sockets: longer than load balancers keep theirs (60 s), so they never write to a closed one. */
export const KEEP_ALIVE_MS_MAX = 65_000
/** Timeout of inactive sockets; a settlement may take 90 s. */
export const SOCKET_IDLE_MS_MAX = 120_000
/** Timeouts of slow senders: headers, and the full request with its body; checked every second. */
export const HEADERS_MS_MAX = 5_000
export const REQUEST_MS_MAX = 10_000
export const SLOW_LOOK_MS = 1_000
