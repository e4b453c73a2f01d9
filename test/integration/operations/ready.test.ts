import { questions } from '../../../query-api/app/list/questions.ts'
import { harness } from '../api-harness.ts'

describe('/ready', () => {
  test('is 200 with restored stores, and is in no list', async () => {
    const { status, body } = await harness().get('/ready')
    expect([status, body]).toEqual([200, { ok: true, ready: true }])
    expect(questions.map(({ path }) => path)).not.toContain('/ready')
  })
  test('is 503 with Retry-After while stores restore and the process is alive', async () => {
    const api = harness()
    api.view.setStatus({ ready: false })
    const { status, body, headers } = await api.get('/ready')
    expect([status, body.error, headers['retry-after']]).toEqual([503, 'restoring', '5'])
    expect((await api.get('/v1/labels')).status).toBe(200)
  })
  test('has the same status for HEAD, and 405 for POST', async () => {
    expect((await harness().head('/ready')).status).toBe(200)
    expect((await harness().post('/ready')).status).toBe(405)
  })
})
