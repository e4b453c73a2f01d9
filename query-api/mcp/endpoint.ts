// One endpoint for two revisions of the protocol. 2026-07-28 sends its revision with each request and has no handshake; what clients of
// 2025-11-25 and before send is told apart by that. Both are answered by the same server, as JSON, without sessions.
import { createMcpHandler, isLegacyRequest, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { MCP_PATH } from '../questions/limits.ts'
import { refusedParams } from './params.ts'
import { type McpOptions, mcpServers } from './server.ts'

/** A message that was read and may be answered. */
export interface McpCall {
  readonly message: object
  /** Of the request, those that the protocol reads. */
  readonly headers: Readonly<Record<string, string>>
  readonly callerAddress: string
}

const NO_SUBSCRIPTIONS = 'Method not found: nothing that this server lists changes while it runs, so that there is nothing to listen to'
const METHOD_NOT_FOUND = -32_601

/** The answer is awaited whether the caller is still there or not: a settlement under way is never left alone. */
export const mcpEndpoint = (options: McpOptions): ((call: McpCall) => Promise<Response>) => {
  const serverFor = mcpServers(options)
  const url = options.service.options.baseUrl + MCP_PATH
  return async ({ message, headers, callerAddress }) => {
    const request = new Request(url, { method: 'POST', headers })
    const isLegacy = await isLegacyRequest(request, message)
    const refused = refusedParams(message, { hasHandshake: isLegacy })
    if (refused !== undefined) return Response.json(refused)
    const server = (): ReturnType<typeof serverFor> => serverFor(callerAddress)
    if (isLegacy) return legacyAnswer(server(), request, message)
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
