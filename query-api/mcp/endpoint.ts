// The MCP endpoint for two protocol revisions, with JSON answers and without sessions. Clients of 2026-07-28 state their revision in each
// request and have no handshake; a request that states no revision in this way is handled as one of 2025-11-25 or older.
import { createMcpHandler, isLegacyRequest, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { MCP_PATH } from '../questions/limits.ts'
import { refusedParams } from './params.ts'
import { type McpOptions, mcpServers } from './server.ts'

/** A parsed message within the limits. */
export interface McpCall {
  readonly message: object
  /** The request headers that the protocol uses. */
  readonly headers: Readonly<Record<string, string>>
  readonly callerAddress: string
}

const NO_SUBSCRIPTIONS = 'Method not found: the lists of this server do not change while it runs, so there are no subscriptions'
const METHOD_NOT_FOUND = -32_601

/** The first revision that has `structuredContent`; revisions compare as text. */
const STRUCTURED_SINCE = '2025-06-18'
/** A handshake-era request without a revision is one of 2025-03-26: the next revision introduced the header. */
const hasStructure = (headers: McpCall['headers']): boolean => (headers['mcp-protocol-version'] ?? '') >= STRUCTURED_SINCE

/** Awaits the answer even if the caller has disconnected: a settlement in progress is always completed. */
export const mcpEndpoint = (options: McpOptions): ((call: McpCall) => Promise<Response>) => {
  const serverFor = mcpServers(options)
  const url = options.service.options.baseUrl + MCP_PATH
  return async ({ message, headers, callerAddress }) => {
    const request = new Request(url, { method: 'POST', headers })
    const isLegacy = await isLegacyRequest(request, message)
    const refused = refusedParams(message, { hasHandshake: isLegacy })
    if (refused !== undefined) return Response.json(refused)
    const server = (): ReturnType<typeof serverFor> => serverFor(callerAddress, true)
    if (isLegacy) return legacyAnswer(serverFor(callerAddress, hasStructure(headers)), request, message)
    const { method, id }: { readonly method?: unknown; readonly id?: unknown } = message
    if (method === 'subscriptions/listen')
      return Response.json(
        { jsonrpc: '2.0', id: id ?? null, error: { code: METHOD_NOT_FOUND, message: NO_SUBSCRIPTIONS } },
        { status: 404 },
      )
    return createMcpHandler(server, { legacy: 'reject' }).fetch(request, { parsedBody: message })
  }
}

const legacyAnswer = async (
  server: ReturnType<ReturnType<typeof mcpServers>>,
  request: Request,
  parsedBody: unknown,
): Promise<Response> => {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody })
  } finally {
    await server.close()
  }
}
