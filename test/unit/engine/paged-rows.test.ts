// Paged rows equal the rows of a map, each in the page given by its id and the number of pages.
import fc from 'fast-check'
import { PagedRows, pageOf } from '../../../topology/engine/rows/paged-rows.ts'
import type { Row, RowId } from '../../../topology/engine/rows/row.ts'

const ids = fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 400 }).map(String))
const steps = fc.array(fc.tuple(fc.boolean(), ids), { maxLength: 800 })

test('any puts and deletes give the rows of a map, each in its page', () => {
  fc.assert(
    fc.property(steps, (taken) => {
      const [rows, model] = [new PagedRows(), new Map<RowId, Row>()]
      for (const [isPut, id] of taken) {
        if (isPut) {
          const row = { id }
          rows.set(id, row)
          model.set(id, row)
        } else {
          rows.delete(id)
          model.delete(id)
        }
        expect(rows.size).toBe(model.size)
        expect(rows.get(id)).toBe(model.get(id))
      }
      expect(new Set(rows.values())).toEqual(new Set(model.values()))
      const inPages = Array.from({ length: rows.pages }, (_, page) => [...rows.inPage(page)])
      expect(inPages.flat()).toHaveLength(model.size)
      for (const [page, inPage] of inPages.entries()) for (const row of inPage) expect(pageOf(row.id as RowId, rows.pages)).toBe(page)
    }),
  )
})

test('few rows share the page of the other rows; many get pages of a few rows each', () => {
  const rows = new PagedRows()
  for (let id = 0; id < 5_000; id++) {
    rows.set(`wallet ${id}`, { id })
    if (id < 64) expect(rows.pages).toBe(1)
    else expect(rows.pages).toBe(1 + Math.ceil((id + 1) / 48))
  }
  expect([...rows.inPage(0)]).toEqual([])
  expect(Math.max(...Array.from({ length: rows.pages }, (_, page) => [...rows.inPage(page)].length))).toBeLessThan(150)
})

test('adding or removing one row moves rows of at most two pages, however many there are', () => {
  const rows = new PagedRows()
  const change = (write: () => void): void => {
    rows.clean()
    const before = Array.from({ length: rows.pages }, (_, page) => new Set(rows.inPage(page)))
    write()
    const after = Array.from({ length: rows.pages }, (_, page) => new Set(rows.inPage(page)))
    const moved = after.map((now, page) => [...now].filter((row) => !before[page]?.has(row)).length)
    for (const [page, count] of moved.entries()) if (!rows.moved.has(page)) expect(count).toBeLessThanOrEqual(1)
    expect([...rows.moved].filter((page) => page > 0).length).toBeLessThanOrEqual(2)
  }
  for (let id = 0; id < 600; id++) change(() => rows.set(`wallet ${id}`, { id }))
  for (let id = 0; id < 600; id++) change(() => rows.delete(`wallet ${id}`))
  expect(rows.pages).toBe(1)
})

test('rows keep the pages of older versions when their number is a power of two', () => {
  const older = (id: string, parts: number): number => {
    let hash = 0x811c9dc5
    for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193)
    return 1 + ((hash ^ (hash >>> 15)) & (parts - 1))
  }
  for (const parts of [2, 4, 256, 32_768])
    for (let n = 0; n < 500; n++) expect(pageOf(`wallet ${n}`, 1 + parts)).toBe(older(`wallet ${n}`, parts))
})
