/** Secrets: the server's key, and what is sealed, signed and hashed with it. */
import {
  argon2 as argon2Callback,
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { textIn } from '#domain/thrown.ts'
import { createSemaphore } from '#platform/database/semaphore.ts'

const argon2 = promisify(argon2Callback)

/** OWASP's floor for argon2id: 19 MiB, two passes. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

export interface Vault {
  /** Sealed with AES-256-GCM; `about` binds the seal to its place, so that it opens nowhere else. */
  encrypt(plain: string, about: string): Buffer
  decrypt(sealed: Uint8Array, about: string): string
  /** A signature of `text`, 128 bits, for links and daily secrets. */
  sign(purpose: string, text: string): string
  verify(purpose: string, text: string, signature: string): boolean
}

export function createVault(secretKey: string): Vault {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secretKey, 'pakhus', purpose, 32))
  const sealing = derive('seal')
  const sign = (purpose: string, text: string) =>
    createHmac('sha256', derive(`sign ${purpose}`))
      .update(text)
      .digest()
      .subarray(0, 16)
      .toString('base64url')
  return {
    encrypt(plain, about) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', sealing, iv).setAAD(Buffer.from(about))
      return Buffer.concat([iv, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
    },
    decrypt(sealed, about) {
      const bytes = Buffer.from(sealed)
      const decipher = createDecipheriv('aes-256-gcm', sealing, bytes.subarray(0, 12)).setAAD(Buffer.from(about))
      decipher.setAuthTag(bytes.subarray(-16))
      return decipher.update(bytes.subarray(12, -16)).toString('utf8') + decipher.final('utf8')
    },
    sign,
    verify(purpose, text, signature) {
      return equalConstantTime(sign(purpose, text), signature)
    },
  }
}

/** Encrypts secrets and signs links. */
export const readSecretKey = (given: string | undefined, dataDir: string): Promise<string> => readKey(given, join(dataDir, 'secret.key'))

/** Encrypts social security numbers, and nothing else: the secret key does not open them. */
export const readPersonalKey = (given: string | undefined, dataDir: string): Promise<string> =>
  readKey(given, join(dataDir, 'personal.key'))

/** The key from the environment, or the one made once and kept in the data folder, readable by its owner alone. */
async function readKey(given: string | undefined, file: string): Promise<string> {
  if (given) return given
  await mkdir(dirname(file), { recursive: true })
  try {
    await writeFile(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (textIn(error, 'code') !== 'EEXIST') throw error
  }
  return (await readFile(file, 'utf8')).trim()
}

/** 256 random bits, safe in a header and in a file name. */
export const newToken = (prefix = ''): string => prefix + randomBytes(32).toString('base64url')

/** Tokens are random, so one fast hash keeps them: nothing can be guessed from it. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

export const equalConstantTime = (a: string, b: string): boolean => {
  const [x, y] = [hashToken(a), hashToken(b)]
  return timingSafeEqual(x, y)
}

/** So many passwords are hashed at once: a storm of logins must not starve the packers. */
const inTurn = createSemaphore(4)

/** PHC string of an argon2id hash. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await inTurn(() => argon2('argon2id', { ...cost, message: password, nonce }))
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${nonce.toString('base64url')}$${Buffer.from(tag).toString('base64url')}`
}

/** False also for a broken or absent hash, after the same time as for a wrong password. */
export async function checkPassword(password: string, hash: string | null): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/.exec(hash ?? '')
  if (!parts) {
    await inTurn(() => argon2('argon2id', { ...cost, message: password, nonce: randomBytes(16) }))
    return false
  }
  const [, memory, passes, parallelism, nonce = '', tag = ''] = parts
  const expected = Buffer.from(tag, 'base64url')
  const given = await inTurn(() =>
    argon2('argon2id', {
      message: password,
      nonce: Buffer.from(nonce, 'base64url'),
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
      tagLength: expected.length,
    }),
  )
  return timingSafeEqual(Buffer.from(given), expected)
}
