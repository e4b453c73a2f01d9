// Requests generated from /openapi.json, and messages to MCP: no 5xx, and no answer outside its schema.
import { fuzzApi } from '../tools/fuzz/world.ts'

test.each([1, 2])(
  '250 requests of seed %d are answered as published',
  async (seed) => {
    const { statuses, mcp, faults } = await fuzzApi(250, seed)
    expect(faults).toEqual([])
    expect(statuses[200]).toBeGreaterThan(20)
    expect(statuses[422]).toBeGreaterThan(5)
    expect(mcp[200]).toBeGreaterThan(15)
    expect(mcp[400]).toBeGreaterThan(5)
    expect(statuses[seed === 2 ? 405 : 402]).toBeGreaterThan(5)
  },
  600_000,
)
