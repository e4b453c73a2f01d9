// The operator's contact in the documents.
import { harness } from './api-harness.ts'

describe('the operator', () => {
  test.each([
    ['ops@cards.example', { email: 'ops@cards.example' }],
    ['https://cards.example/help', { url: 'https://cards.example/help' }],
  ])('%s is in the description, the manifest and the terms', async (contact, described) => {
    const api = harness({ contact })
    expect((await api.get('/openapi.json')).body.info.contact).toEqual(described)
    expect((await api.get('/.well-known/x402')).body.contact).toBe(contact)
    expect((await api.get('/terms')).text).toContain(`Contact: ${contact}\n`)
  })
  test('is not named where none is configured', async () => {
    const api = harness()
    expect((await api.get('/openapi.json')).body.info).not.toHaveProperty('contact')
    expect((await api.get('/.well-known/x402')).body).not.toHaveProperty('contact')
    expect((await api.get('/terms')).text).not.toContain('Contact')
  })
})
