// What is known of a question before it is answered.
import type { ParsedUrlQuery } from 'node:querystring'
import type { Params } from './params.ts'

/** What the list says of a question; derived documents (index, labels, 402, OpenAPI, MCP) read it. */
export interface QuestionFacts<P extends Params = Params> {
  /** Path template of the contract, `{name}` for path parameters. */
  readonly path: string
  /** Name of the MCP tool; null where the contract names none. */
  readonly tool: string | null
  /** Micro-USDC before the price factor; 0 is free. */
  readonly priceMicroUsdc: number
  /** By name; those not named in `path` are query parameters. */
  readonly params: P
  /** What it is about; absent: mints. Each market has a chain, and a feed of its own. */
  readonly market?: Market
  /** When `coverage` is full, in words. */
  readonly coverageRule: string
  /** `meta.is_stale` is true above this feed lag, seconds. */
  readonly feedLagSMax: number
  /** Nothing that is shown is younger, seconds; absent: live. */
  readonly delayedS?: number
  /** True where the answer comes without the envelope, and so without `meta`. */
  readonly isBare?: true
  /** Name of the component of `/openapi.json` that a 200 is; absent: a document of its own kind. */
  readonly schema?: string
  /** Of a document that is not sent as `application/json`. */
  readonly mediaType?: string
  /** Name for people, without the price. */
  readonly title: string
  /** What is typical, as published: milliseconds until the answer, and age of the newest event in it, seconds. Null: not said. */
  readonly typical: Typical
  /** The same of answers whose coverage is thin, where it differs. */
  readonly typicalThin?: Typical
  /** True where the answer is given unpaid while there is nothing to sell, because it is always 200; others are refused then. */
  readonly isGivenUnsold?: true
  /** True where payments on the second network are taken too. */
  readonly secondNetwork?: true
  /** Status of the refusal where a parameter's form is right and its content is not; absent: 404 in the path, 422 in the query. */
  readonly contentStatus?: 400
  /** One sentence for buyers. */
  readonly description: string
  /** A request that shows the parameters. */
  readonly example: string
}

/** Tokens of which launchpad an answer is about: that of mints, or that of curves. */
export type Market = 'mints' | 'curves'

/** What a request brings: decoded path parameters and the parsed query string. */
export interface RawInput {
  readonly path: Readonly<Record<string, string | undefined>>
  readonly query: ParsedUrlQuery
}

/** See `QuestionFacts.typical`. */
interface Typical {
  readonly latencyMs: number | null
  readonly freshnessS: number | null
}
