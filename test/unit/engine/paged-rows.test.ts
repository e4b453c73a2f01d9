// Rows in parts are the rows of a map, each in the page that its id and their number say.
import fc from 'fast-check'
import type { Row, RowId } from '../../../topology/engine/aggregate.ts'
import { PagedRows, pageOf } from '../../../topology/engine/paged-rows.ts'

const ids = fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 400 }).map(String))
const steps = fc.array(fc.tuple(fc.boolean(), ids), { maxLength: 800 })

test('whatever is put and taken away, they are the rows of a map, each in its page', () => {
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

test('few stand in the page of the other rows; many have pages of a few rows, never two in all', () => {
  const rows = new PagedRows()
  const pages = new Set<number>()
  for (let id = 0; id < 5_000; id++) {
    rows.set(`wallet ${id}`, { id })
    pages.add(rows.pages)
    if (id === 63) expect([...pages]).toEqual([1])
  }
  expect([...pages]).toEqual([1, 3, 5, 9, 17, 33, 65, 129])
  expect([...rows.inPage(0)]).toEqual([])
  expect(Math.max(...Array.from({ length: rows.pages }, (_, page) => [...rows.inPage(page)].length))).toBeLessThan(100)
})
