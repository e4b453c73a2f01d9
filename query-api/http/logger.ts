// The part of a logger that the API uses; pino fits it.

/** Facts first, then one sentence. */
export interface Logger {
  info(facts: object, sentence: string): void
  warn(facts: object, sentence: string): void
  error(facts: object, sentence: string): void
}
