// Where MCP is, and how large a message may be.

export const MCP_PATH = '/mcp'
/** Revisions of the protocol that are named to clients, newest first; clients of older ones with a handshake are answered too. */
export const MCP_REVISIONS = ['2026-07-28', '2025-11-25'] as const
/** A payment is about 3 KB with the extensions that clients echo; arguments are short. */
export const MCP_BODY_BYTES_MAX = 64 * 1024
