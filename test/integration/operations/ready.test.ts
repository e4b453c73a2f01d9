import { questions } from '../../../query-api/app/list/questions.ts'
import { harness } from '../api-harness.ts'

describe('/ready', () => {
  test('given restored stores, then 200; it is in no list', async () => {
    const { status, body } = await harness().get('/ready')
    expect([status, body]).toEqual([200, { ok: true, ready: true }])
    expect(questions.map(({ path }) => path)).not.toContain('/ready')
  })
  test('given stores that restore, then 503 with when to ask again, while the process is alive', async () => {
    const api = harness()
    api.view.say({ ready: false })
    const { status, body, headers } = await api.get('/ready')
    expect([status, body.error, headers['retry-after']]).toEqual([503, 'restoring', '5'])
    expect((await api.get('/v1/labels')).status).toBe(200)
  })
  test('given HEAD, then the same status; given POST, then 405', async () => {
    expect((await harness().head('/ready')).status).toBe(200)
    expect((await harness().post('/ready')).status).toBe(405)
  })
})
