// Limits of the HTTP server, each with its unit.

/** A payment header is about 1.5 KB; with echoed extensions a request stays far below this. */
export const HEADER_BYTES_MAX = 16 * 1024
/** Sockets open at once; more are closed unanswered. */
export const CONNECTIONS_MAX = 4096
/** Of one address that is no trusted proxy; who raises the rate of requests raises this with it. */
export const CONNECTIONS_PER_ADDRESS_MIN = 256
/** An idle socket is kept longer than load balancers keep theirs (60 s), so that they never write into a closed one. */
export const KEEP_ALIVE_MS_MAX = 65_000
/** A socket on which nothing moves; a settlement may take 90 s. */
export const SOCKET_IDLE_MS_MAX = 120_000
/** Slow senders: headers, and the whole request with its body; looked at every second. */
export const HEADERS_MS_MAX = 5_000
export const REQUEST_MS_MAX = 10_000
export const SLOW_LOOK_MS = 1_000
