// What is wrong with the parameters of a message, in words: left to itself the SDK calls it an internal error.
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'

interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}
interface Schema {
  safeParse(value: unknown): { readonly error?: { readonly issues: readonly Issue[] } | undefined }
}

const SCHEMAS: ReadonlyMap<string, Schema> = new Map<string, Schema>([
  ['initialize', InitializeRequestSchema],
  ['tools/list', ListToolsRequestSchema],
  ['tools/call', CallToolRequestSchema],
  ['prompts/list', ListPromptsRequestSchema],
  ['prompts/get', GetPromptRequestSchema],
  ['resources/list', ListResourcesRequestSchema],
  ['resources/templates/list', ListResourceTemplatesRequestSchema],
  ['resources/read', ReadResourceRequestSchema],
])
const ISSUES_MAX = 5
const NO_TASKS = 'params.task: this server makes no tasks; leave it out, and the result comes at once'

type Fields = Readonly<Record<string, unknown>>
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** The JSON-RPC answer to a request whose parameters do not fit its method; undefined where they do, and where it is no request. */
export const refusedParams = (message: unknown): object | undefined => {
  if (!isFields(message) || (typeof message.id !== 'string' && typeof message.id !== 'number')) return undefined
  const fault = faultOf(message)
  if (fault === undefined) return undefined
  return { jsonrpc: '2.0', id: message.id, error: { code: ErrorCode.InvalidParams, message: `Invalid params: ${fault}` } }
}

const faultOf = (message: Fields): string | undefined => {
  const { method, params } = message
  if (typeof method !== 'string') return undefined
  if (isFields(params) && params.task !== undefined) return NO_TASKS
  const { error } = SCHEMAS.get(method)?.safeParse(message) ?? {}
  return error?.issues
    .slice(0, ISSUES_MAX)
    .map(({ path, message: words }) => `${path.map(String).join('.')}: ${words}`)
    .join('; ')
}
