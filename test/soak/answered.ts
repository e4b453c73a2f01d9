// Requests of soaks to processes that are being killed.
import { inTime } from '../../query-api/http/in-time.ts'

const GRACE_MS = 1_000

/** A second timeout for a request that has its own (`AbortSignal.timeout(msMax)`): with that alone two soaks hung forever (Node 20.20). */
export const answered = <Result>(asked: Promise<Result>, msMax: number): Promise<Result> => inTime(asked, msMax + GRACE_MS)
