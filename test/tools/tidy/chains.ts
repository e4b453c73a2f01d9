// Shared code is given its chain: names of chains are for the chain's own folders, the wiring, and places that publish them.
import { type Source, walk } from './source.ts'

const OF_A_CHAIN = /^(processors\/chains|topology\/sources|topology\/simulator)\/(solana|alt)\//
/** Payments and the sandbox name the networks that are paid on. */
const OF_PAYMENTS = /^(query-api\/payment|topology\/sandbox)\//
const WIRING = 'topology/launch-risk.ts'

/** Files that may name a chain beside these, with the reason. */
export const CHAIN_NAMED: Readonly<Record<string, string>> = {
  'query-api/answer-schemas/published-chain.ts': 'the form of positions in answers is published',
  'query-api/app/list/curves.ts': 'names of tools are published',
  'query-api/discovery/texts.ts': 'says on which network payments are',
  'query-api/guides/agent.ts': 'a client that pays on that network',
  'topology/cli/settings/settings.ts': 'the network of payments',
}

/** Settings that are published. */
const VARIABLE = /\bSOLANA_[A-Z_]+/g
/** Names that are no other word count anywhere in a name or text; `alt` as a text of its own, before a position, and as a topic's chain. */
const NAME = /solana|rhc/i
const TEXTS = new Set(['Identifier', 'StringLiteral', 'TemplateElement', 'RegExpLiteral'])
const ALT = /^alt$|\balt:|\.alt$/

/** Uses of a chain's name in code: names, texts and imports; comments may. */
export const chainFaults = ({ path, tree, lineAt }: Source): string[] => {
  if (OF_A_CHAIN.test(path) || OF_PAYMENTS.test(path) || path === WIRING || path in CHAIN_NAMED) return []
  const faults: string[] = []
  walk(tree, ({ type, value, raw, pattern, span }) => {
    if (!TEXTS.has(type)) return
    const text = String(type === 'TemplateElement' ? raw : (pattern ?? value)).replace(VARIABLE, '')
    if (NAME.test(text) || (type !== 'Identifier' && ALT.test(text)))
      faults.push(`${path}:${lineAt(span?.start ?? 0)} names a chain: ${text.slice(0, 60)}`)
  })
  return faults
}
