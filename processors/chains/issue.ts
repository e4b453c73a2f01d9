// Words for a value that a schema refuses.
import type * as z from 'zod'

type Issue = z.core.$ZodIssue

/** Our own messages say more than the library's of the same place. */
const depthOf = ({ path, code }: Issue): number => path.length + (code === 'custom' ? 0.5 : 0)

/** Of the alternatives of a union, the issue that is deepest in the value: that of the alternative that was meant. */
const deepest = (issue: Issue): Issue => {
  if (issue.code !== 'invalid_union') return issue
  const inner = issue.errors.flat().map(deepest)
  const [first] = inner.sort((a, b) => depthOf(b) - depthOf(a))
  return first === undefined || depthOf(first) === 0 ? issue : { ...first, path: [...issue.path, ...first.path] }
}

/** The place in the value, and what is wrong there. */
export const issueOf = (error: z.ZodError | undefined, what: string): string => {
  const [issue] = error?.issues ?? []
  if (issue === undefined) return `${what} has an unknown format`
  const { path, message } = deepest(issue)
  return `${path.join('.') || what}: ${message}`
}
