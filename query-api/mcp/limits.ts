// Where MCP is, and how large a message may be.

export const MCP_PATH = '/mcp'
/** A payment is about 3 KB with the extensions that clients echo; arguments are short. */
export const MCP_BODY_BYTES_MAX = 64 * 1024
