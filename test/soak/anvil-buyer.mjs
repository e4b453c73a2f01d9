// Sends transactions to a node from a separate process: each buyer has one in flight; together they send at most `perSecond`.
process.once('message', async ({ url, seconds, perSecond, buyers }) => {
  const startedMs = performance.now()
  let sent = 0
  const isDue = () => sent < ((performance.now() - startedMs) / 1_000) * perSecond
  const send = async (call) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendTransaction', params: [call] })
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { error } = await response.json()
    if (error !== undefined) throw new Error(error.message)
  }
  const buyer = async (calls) => {
    while (performance.now() < startedMs + seconds * 1_000) {
      if (isDue()) await send(calls[sent++ % calls.length])
      else await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }
  await Promise.all(buyers.map(buyer))
  process.send({ sent })
  process.disconnect()
})
