// The static description of a question.
import type { ParsedUrlQuery } from 'node:querystring'
import type { Params } from './params.ts'

/** The description of a question in the list, from which index, labels, 402, OpenAPI and MCP are derived. */
export interface QuestionFacts<P extends Params = Params> {
  /** Path template of the contract, `{name}` for path parameters. */
  readonly path: string
  /** Name of the MCP tool; null if the contract names none. */
  readonly tool: string | null
  /** Micro-USDC before the price factor; 0 is free. */
  readonly priceMicroUsdc: number
  /** By name; those not named in `path` are query parameters. */
  readonly params: P
  /** Absent: mints. Each market has its own chain and feed. */
  readonly market?: Market
  /** When `coverage` is full, in words. */
  readonly coverageRule: string
  /** `meta.is_stale` is true above this feed lag, seconds. */
  readonly feedLagSMax: number
  /** Minimum age of shown data, seconds; absent: live. */
  readonly delayedS?: number
  /** True if the answer has no envelope, and so no `meta`. */
  readonly isBare?: true
  /** Name of the 200's component in `/openapi.json`; absent: the answer is a document without a schema. */
  readonly schema?: string
  /** Media type; absent: `application/json`. */
  readonly mediaType?: string
  /** A short title for people, without the price. */
  readonly title: string
  /** Published typical figures: latency in milliseconds, and age of the newest event in the answer in seconds. Null: not specified. */
  readonly typical: Typical
  /** The typical figures of answers with thin coverage, if different. */
  readonly typicalThin?: Typical
  /** True if the route returns a free 200 while there is nothing to sell; other routes refuse. */
  readonly isGivenUnsold?: true
  /** True if payments on the second network are also accepted. */
  readonly secondNetwork?: true
  /** Status of the refusal if a parameter's form is valid but its content is not; absent: 404 for the path, 422 for the query. */
  readonly contentStatus?: 400
  /** For buyers: a few sentences. */
  readonly description: string
  /** A request that shows the parameters. */
  readonly example: string
}

/** The launchpad that an answer is about: that of mints, or that of curves. */
export type Market = 'mints' | 'curves'

/** Decoded path parameters and the parsed query string of a request. */
export interface RawInput {
  readonly path: Readonly<Record<string, string | undefined>>
  readonly query: ParsedUrlQuery
}

/** See `QuestionFacts.typical`. */
interface Typical {
  readonly latencyMs: number | null
  readonly freshnessS: number | null
}
