// The official MCP clients of both lines, for a buyer.
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

interface Call {
  readonly name: string
  readonly arguments: Record<string, unknown>
  readonly _meta?: Record<string, unknown>
}
interface Result {
  readonly isError?: boolean
  readonly structuredContent?: unknown
  readonly _meta?: Readonly<Record<string, unknown>>
}
export interface McpBuyer {
  /** The negotiated one. */
  readonly revision: string | undefined
  callTool(call: Call): Promise<Result>
  close(): Promise<void>
}

const INFO = { name: 'buyer', version: '0' }

/** By the package's line. They have listed the tools, and from then on validate every result against its tool's schema. */
export const mcpLines: Readonly<Record<'1.x' | '2.x', (url: string) => Promise<McpBuyer>>> = {
  '1.x': async (url) => {
    const client = new Client(INFO)
    const transport = new StreamableHTTPClientTransport(new URL(url))
    // The SDK's own transport declares its optional members without exactOptionalPropertyTypes.
    await client.connect(transport as Parameters<Client['connect']>[0])
    await client.listTools()
    return {
      revision: transport.protocolVersion,
      callTool: async (call) => (await client.callTool({ ...call })) as Result,
      close: () => client.close(),
    }
  },
  '2.x': async (url) => {
    const client = new NewClient(INFO, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new NewTransport(new URL(url)))
    await client.listTools()
    return {
      revision: client.getNegotiatedProtocolVersion(),
      callTool: async (call) => (await client.callTool({ ...call })) as Result,
      close: () => client.close(),
    }
  },
}
