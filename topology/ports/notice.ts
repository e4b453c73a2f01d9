/** Sends operators a notice: a code, which is counted and searchable, and its fields. Never includes a secret. */
export type Notice = (code: string, facts: Record<string, string | number>) => void
