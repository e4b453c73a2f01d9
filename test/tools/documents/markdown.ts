// Reads the project's Markdown documents: links, anchors, code blocks, commands.
import { readFileSync } from 'node:fs'
import { projectFiles, ROOT } from '../project-files.ts'

interface MarkdownFile {
  /** From the root of the project. */
  readonly path: string
  readonly text: string
}
interface Block {
  readonly path: string
  /** '' if none is named. */
  readonly language: string
  readonly text: string
}

export const documents: readonly MarkdownFile[] = projectFiles
  .filter((path) => path.endsWith('.md'))
  .map((path) => ({ path, text: readFileSync(`${ROOT}${path}`, 'utf8') }))

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm

export const blocksOf = ({ path, text }: MarkdownFile): readonly Block[] =>
  [...text.matchAll(FENCE)].map(([, language = '', code = '']) => ({ path, language, text: code }))

const withoutBlocks = (text: string): string => text.replaceAll(FENCE, '')

/** Targets of links and pictures, as written. */
export const linksIn = (text: string): readonly string[] => {
  const prose = withoutBlocks(text).replaceAll(/`[^`\n]*`/g, 'code')
  return [...prose.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)].map(([, link, source]) => link ?? source ?? '')
}

/** Anchors that GitHub generates for headings, and explicit `id` attributes. */
export const anchorsIn = (text: string): ReadonlySet<string> => {
  const prose = withoutBlocks(text)
  const taken = new Map<string, number>()
  const headings = [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-')
    const before = taken.get(slug) ?? 0
    taken.set(slug, before + 1)
    return before === 0 ? slug : `${slug}-${before}`
  })
  return new Set([...headings, ...[...prose.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)])
}

const WORD = /(?:[^\s"'#;&|<>\\]|\\.|"(?:[^"\\]|\\[\s\S])*"|'[^']*')(?:[^\s"';&|<>\\]|\\.|"(?:[^"\\]|\\[\s\S])*"|'[^']*')*/y

const unquoted = (word: string): string =>
  word.replaceAll(/"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'|\\(.)/g, (_all, double, single, escaped) =>
    double === undefined ? (single ?? escaped) : double.replaceAll(/\\([$`"\\\n])/g, '$1'),
  )

/**
 * The commands of a shell block, each as a list of words, without leading variables, redirections and comments. Understands quotes, `&&`,
 * `|`, `;`, `&` and `>`. @throws for anything else
 */
export const shellCommands = (block: string): readonly (readonly string[])[] => {
  const commands: string[][] = [[]]
  const text = block.replaceAll('\\\n', ' ')
  for (let at = 0; at < text.length; ) {
    WORD.lastIndex = at
    const [word] = WORD.exec(text) ?? []
    if (word !== undefined) {
      commands.at(-1)?.push(unquoted(word))
      at += word.length
      continue
    }
    const [skipped, comment, target, end] = /^(?:[ \t]+|(#[^\n]*)|([<>]{1,2} *\S+)|([\n;|&]+))/.exec(text.slice(at)) ?? []
    if (skipped === undefined) throw new Error(`a shell block has ${JSON.stringify(text.slice(at, at + 20))}`)
    if (comment === undefined && target === undefined && end !== undefined) commands.push([])
    at += skipped.length
  }
  const isVariable = (word: string): boolean => /^[A-Z_][A-Z0-9_]*=/.test(word)
  return commands
    .map((words) => words.slice(words.findIndex((word) => !isVariable(word))))
    .filter(([first]) => first !== undefined && !isVariable(first))
}

/** Arguments of `mintfold` if the command starts it; undefined for another program. */
export const mintfoldArgs = (args: readonly string[]): readonly string[] | undefined => {
  if (args[0] === 'npx' && args[1] === 'mintfold') return args.slice(2)
  if (args[0] === 'npm' && args[1] === 'start') return ['up', ...args.slice(args[2] === '--' ? 3 : 2)]
  return undefined
}
