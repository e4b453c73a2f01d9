// A timeout for promises.

/** Settles as `work`, or rejects after `msMax`. */
export const inTime = async <Result>(work: Promise<Result>, msMax: number): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${msMax} ms`)), msMax)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
