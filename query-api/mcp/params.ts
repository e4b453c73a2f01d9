// Validates the parameters of a message, because the SDK answers invalid ones with an internal error.
import { ProtocolErrorCode, type StandardSchemaV1Sync, specTypeSchemas } from '@modelcontextprotocol/server'

const SCHEMAS = new Map<string, StandardSchemaV1Sync>([
  ['tools/list', specTypeSchemas.ListToolsRequest],
  ['tools/call', specTypeSchemas.CallToolRequest],
  ['prompts/list', specTypeSchemas.ListPromptsRequest],
  ['prompts/get', specTypeSchemas.GetPromptRequest],
  ['resources/list', specTypeSchemas.ListResourcesRequest],
  ['resources/templates/list', specTypeSchemas.ListResourceTemplatesRequest],
  ['resources/read', specTypeSchemas.ReadResourceRequest],
])
const HANDSHAKE = 'initialize'
const ISSUES_MAX = 5
const NO_TASKS = 'params.task: this server does not support tasks; omit it to get the result directly'

type Fields = Readonly<Record<string, unknown>>
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** The JSON-RPC error for invalid parameters; undefined if they are valid, or if the message is not a request. */
export const refusedParams = (message: object, { hasHandshake }: { readonly hasHandshake: boolean }): object | undefined => {
  if (!isFields(message) || (typeof message.id !== 'string' && typeof message.id !== 'number')) return undefined
  const fault = faultOf(message, hasHandshake)
  if (fault === undefined) return undefined
  return { jsonrpc: '2.0', id: message.id, error: { code: ProtocolErrorCode.InvalidParams, message: `Invalid params: ${fault}` } }
}

const faultOf = (message: Fields, hasHandshake: boolean): string | undefined => {
  const { method, params } = message
  if (typeof method !== 'string') return undefined
  if (isFields(params) && params.task !== undefined) return NO_TASKS
  const schema = hasHandshake && method === HANDSHAKE ? specTypeSchemas.InitializeRequest : SCHEMAS.get(method)
  const { issues } = schema?.['~standard'].validate(message) ?? {}
  return issues
    ?.slice(0, ISSUES_MAX)
    .map(({ path = [], message: words }) => `${path.map(String).join('.')}: ${words}`)
    .join('; ')
}
