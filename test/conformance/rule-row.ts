// A row of the contract that a test elsewhere checks.

export interface RuleRow {
  readonly row: string
  readonly file: string
  /** Of a test, as it stands in the file. */
  readonly title: string
}

export const rule = (row: string, file: string, title: string): RuleRow => ({ row, file, title })
