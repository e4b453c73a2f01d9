// The displayed command runs unchanged in a shell.
import { buyCommand } from '../../../topology/cli/commands/buy/buy-command.ts'

test.each([
  ['.mintfold', 'http://127.0.0.1:8402', 'npx mintfold buy /v1/launches/recent'],
  ['.mintfold', 'http://127.0.0.1:9000', 'npx mintfold buy /v1/launches/recent --server http://127.0.0.1:9000'],
  ['/srv/a', 'http://[::1]:8402', "MINTFOLD_DATA_DIR=/srv/a npx mintfold buy /v1/launches/recent --server 'http://[::1]:8402'"],
  ["/srv/it's $HOME", 'http://127.0.0.1:8402', "MINTFOLD_DATA_DIR='/srv/it'\\''s $HOME' npx mintfold buy /v1/launches/recent"],
])('prints the command for data directory %s and server %s', (dataDir, server, command) => {
  expect(buyCommand(dataDir, server, '/v1/launches/recent')).toBe(command)
})
