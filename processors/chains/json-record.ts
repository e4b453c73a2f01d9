// Objects of parsed JSON whose fields are not known yet.

export type JsonRecord = Readonly<Record<string, unknown>>

export const isJsonRecord = (value: unknown): value is JsonRecord => typeof value === 'object' && value !== null && !Array.isArray(value)

export const has = (json: JsonRecord, ...names: readonly string[]): boolean => names.every((name) => name in json)
