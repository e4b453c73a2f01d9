// The path, revisions and size limit of the MCP endpoint.

export const MCP_PATH = '/mcp'
/** Protocol revisions advertised to clients, newest first; clients of older revisions with a handshake are also served. */
export const MCP_REVISIONS = ['2026-07-28', '2025-11-25'] as const
/** A payment is about 3 KB, with the extensions that clients echo; arguments are short. */
export const MCP_BODY_BYTES_MAX = 64 * 1024
