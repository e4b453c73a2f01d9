/** Tells operators what they should know: a code, which is counted and searched for, and facts. Never a secret. */
export type Notice = (code: string, facts: Record<string, string | number>) => void
