// The signing key of receipts, created on the first start and stored in the data directory.
import { generateKeyPairSync } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EngineError } from '../../../schemas/errors.ts'
import { writePrivateFile } from '../../sandbox/wallet.ts'

/** An Ed25519 private key as PKCS#8 PEM. Processes that sell together may share copies of it. */
const RECEIPT_KEY_FILE = 'receipt-key.pem'

/** @throws EngineError `file_unreadable` if the key exists but cannot be read. */
export const openReceiptKey = async (dataDir: string): Promise<string> => {
  const file = join(dataDir, RECEIPT_KEY_FILE)
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new EngineError('file_unreadable', `the key of receipts in ${file} cannot be read: make it readable, or move it away`, {
        cause,
      })
  }
  const { privateKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  await mkdir(dataDir, { recursive: true })
  await writePrivateFile(file, privateKey)
  return privateKey
}
