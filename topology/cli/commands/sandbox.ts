// `mintfold sandbox`: payments without real money as a separate server, for several `serve` processes or containers.
import { hostname } from 'node:os'
import { openDataDir } from '../../data-dir/directory.ts'
import { isLoopback } from '../../ports/loopback.ts'
import { startSandbox } from '../../sandbox/sandbox.ts'
import { stopped } from '../../waiting/waiting.ts'
import type { Io, Register } from '../command.ts'
import { settingsWithoutApi } from '../settings/settings.ts'
import { hostNamesOf, portOf } from '../settings/settings-values.ts'
import { Closing } from '../start/closing.ts'

const PORT = 8404

interface Options {
  readonly host: string
  readonly port: number
  readonly hosts: readonly string[]
}

export const register: Register = (command, io) => {
  command
    .description(
      'Runs an x402 facilitator and a ledger with play money in the data directory. Servers use it with MINTFOLD_PAYMENTS=facilitator ' +
        'and the settings it prints, buyers with the wallet it writes. Access is not restricted, as no real money is involved.',
    )
    .option('--host <host>', 'address to listen on; 0.0.0.0 for containers', '127.0.0.1')
    .option('--port <port>', 'port to listen on; 0 picks a free one and keeps it over restarts', portOf, PORT)
    .option(
      '--hosts <names>',
      "host names of clients' URLs, comma-separated, besides addresses, localhost and this machine's name",
      hostNamesOf,
      [],
    )
    .action((options: Options) => sandbox(options, io))
}

const sandbox = async ({ host, port, hosts }: Options, io: Io): Promise<void> => {
  const { dataDir } = settingsWithoutApi(io.env)
  openDataDir(dataDir)
  await new Closing(io.printNotice).after(async (closing) => {
    const running = await startSandbox({ dataDir, host, port, names: [host, ...hosts], anyHost: true, moved: io.printNotice })
    closing.add('sandbox', () => running.close())
    const reached = (url: string): string => {
      const shown = new URL(url)
      if (!isLoopback(host)) shown.hostname = /^(0\.0\.0\.0|::)$/.test(host) ? hostname() : shown.hostname
      return shown.href
    }
    await io.out(
      [
        'MINTFOLD_PAYMENTS=facilitator',
        `X402_FACILITATOR_URL=${reached(running.facilitatorUrl)}`,
        `X402_PAY_TO=${running.payTo}`,
        `X402_NETWORK=${running.network}`,
        `X402_RPC_URL=${reached(running.rpcUrl)}`,
        '',
      ].join('\n'),
    )
    io.printNotice(`the sandbox answers on ${host}:${new URL(running.rpcUrl).port}; set the lines above on servers`)
    io.printNotice(`a buyer with 100 USDC of play money: mintfold buy PATH --server URL --wallet ${running.walletFile}`)
    await stopped(io.stop)
  })
}
