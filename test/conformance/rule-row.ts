// A row of the contract that a test elsewhere checks.

export interface RuleRow {
  readonly row: string
  readonly file: string
  /** Of a test, exactly as in its file. */
  readonly title: string
}

export const rule = (row: string, file: string, title: string): RuleRow => ({ row, file, title })
