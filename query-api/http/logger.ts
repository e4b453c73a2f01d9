// The logger interface of the API, which pino implements.

export interface Logger {
  info(facts: object, sentence: string): void
  warn(facts: object, sentence: string): void
  error(facts: object, sentence: string): void
}
