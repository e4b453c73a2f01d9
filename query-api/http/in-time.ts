// A limit that holds whatever becomes of what is waited for.

/** As `work`; rejects after `msMax`. */
export const inTime = async <Result>(work: Promise<Result>, msMax: number): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${msMax} ms`)), msMax)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
