// A challenge shows that a generic webhook wants the alerts: it must answer with the text that it was sent.
import { USER_AGENT } from '../messages.ts'
import type { Sender } from './sender.ts'

/** Sends the challenge. Resolves to null if it came back, else to what happened. Never rejects. */
export const challengeProblem = async (sender: Sender, url: string, challenge: string, msMax: number): Promise<string | null> => {
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'User-Agent': USER_AGENT }
  const outcome = await sender.send({ url, headers, body: JSON.stringify({ challenge }) }, AbortSignal.timeout(msMax))
  if (outcome.kind === 'failed') return outcome.reason
  return isReturned(outcome.body, challenge) ? null : 'another answer'
}

/** True for the challenge itself, and for JSON whose member `challenge` is it. A page that quotes the request returns nothing. */
const isReturned = (body: string, challenge: string): boolean => {
  if (body.trim() === challenge) return true
  try {
    const { challenge: returned } = JSON.parse(body) as { readonly challenge?: unknown }
    return returned === challenge
  } catch {
    return false
  }
}
