// Questions of soaks to processes that are being killed.
import { inTime } from '../../query-api/http/in-time.ts'

const GRACE_MS = 1_000

/** A question with a signal of its own (`AbortSignal.timeout(msMax)`): even so two soaks waited for an answer for ever (Node 20.20). */
export const answered = <Result>(asked: Promise<Result>, msMax: number): Promise<Result> => inTime(asked, msMax + GRACE_MS)
