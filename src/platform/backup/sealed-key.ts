/** The secret key in a backup: encrypted with a passphrase (scrypt, AES-256-GCM), never in plain text. */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import type { SealedKey } from './archive.ts'
import { BackupError } from './backup-error.ts'

/** OWASP's parameters for scrypt. */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 2 ** 20 }

const derive = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  new Promise((settle, fail) => scrypt(passphrase.normalize('NFKC'), salt, 32, cost, (error, key) => (error ? fail(error) : settle(key))))

export async function sealKey(secretKey: string, passphrase: string): Promise<SealedKey> {
  const [salt, iv] = [randomBytes(16), randomBytes(12)]
  const cipher = createCipheriv('aes-256-gcm', await derive(passphrase, salt), iv)
  const data = Buffer.concat([cipher.update(secretKey, 'utf8'), cipher.final()])
  const text = (bytes: Buffer) => bytes.toString('base64')
  return { salt: text(salt), iv: text(iv), tag: text(cipher.getAuthTag()), data: text(data) }
}

export async function openSealedKey(sealed: SealedKey, passphrase: string): Promise<string> {
  const bytes = (text: string) => Buffer.from(text, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', await derive(passphrase, bytes(sealed.salt)), bytes(sealed.iv), { authTagLength: 16 })
  try {
    decipher.setAuthTag(bytes(sealed.tag))
    return decipher.update(bytes(sealed.data)).toString('utf8') + decipher.final('utf8')
  } catch (error) {
    throw new BackupError('The passphrase is not the one of this backup.', { cause: error })
  }
}
