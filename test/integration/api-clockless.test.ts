// Before the service clock is known: what needs it waits, and what needs none is answered.
import { given, MINT, watched } from './check-given.ts'

const CHECKS = [`/v1/check/mint/${MINT}?`, `/v1/check/watchlist?mints=${MINT}`, `/v1/check/watch?mints=${MINT}`]
const refused = (error: string) => ({ ok: false, error, hint: expect.any(String), charged: false })

describe('before the service clock is known', () => {
  test.each(CHECKS)('a valid cursor is a 503, unpaid, and valid again afterwards: %s', async (path) => {
    const api = given()
    const { cursor } = await watched(api, MINT)
    api.time.isStreamKnown = false
    // A wall clock far from the stream decides nothing.
    api.time.nowMs += 44 * 86_400_000
    for (const [isReady, error] of [
      [false, 'restoring'],
      [true, 'feed_unavailable'],
    ] as const) {
      api.view.setStatus({ ready: isReady })
      for (const request of [api.get(`${path}&cursor=${cursor}`), api.paid(`${path}&cursor=${cursor}`)])
        expect(await request).toMatchObject({ status: 503, body: refused(error) })
    }
    expect((await api.get('/health')).body.sources[0].feed_lag_s_reason).toMatch('clock of the source is not known')
    expect((await api.get('/v1/labels')).status).toBe(200)
    api.time.isStreamKnown = true
    api.time.nowMs -= 44 * 86_400_000
    expect((await api.get(`${path}&cursor=${cursor}`)).status).toBe(200)
  })
})
