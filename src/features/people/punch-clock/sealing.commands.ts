/** What a kiosk without network keeps of badges and PINs is sealed to a key of the company: the device itself cannot read it again. */
import { constants, createPrivateKey, createPublicKey, generateKeyPair, privateDecrypt, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import * as z from 'zod'
import { inLine } from '#features/company/users/users.queries.ts'
import { readSecret, storeSecret } from '#platform/crypto/secret-store.ts'
import type { ExternalContext } from '#platform/http/feature-module.ts'
import { earlyWhys } from './punch.codes.ts'
import type { Mark } from './punch-clock.schemas.ts'

const generate = promisify(generateKeyPair)
const placeOf = ({ principal }: Pick<ExternalContext, 'principal'>) => ({
  operator_id: principal.company.operator_id,
  company_id: principal.company.id,
  name: 'punch_clock_key',
})

/** The company's key, made at the first use. */
async function privateKey(outside: ExternalContext): Promise<string> {
  const { transaction, services, principal, now } = outside
  const place = placeOf(outside)
  const known = await transaction(({ db }) => readSecret(db, services.vault, place))
  if (known) return known
  const { privateKey: made } = await generate('rsa', { modulusLength: 2_048 })
  const pem = made.export({ type: 'pkcs8', format: 'pem' }).toString()
  return transaction(async ({ db }) => {
    await inLine(db, place.company_id)
    // Another kiosk may have been faster.
    const first = await readSecret(db, services.vault, place)
    if (first) return first
    await storeSecret(db, services.vault, place, pem, { user_id: principal.id, at: now() })
    return pem
  })
}

/** The half to which a kiosk seals, as SubjectPublicKeyInfo in base64. */
export const publicKey = async (outside: ExternalContext): Promise<string> =>
  createPublicKey(await privateKey(outside))
    .export({ type: 'spki', format: 'der' })
    .toString('base64')

const why = z.enum(earlyWhys).optional()
const Sealed = z
  .union([
    z.strictObject({ badge: z.string().max(256), why }),
    z.strictObject({ employee_no: z.string().min(1).max(40), pin: z.string().regex(/^\d{4,8}$/), why }),
    z.strictObject({ user_id: z.number().int().positive(), pin: z.string().regex(/^\d{4,8}$/), why }),
  ])
  .transform(({ why, ...who }) => ({ who, why }))

/** Opens what kiosks of the company sealed: who, and why a clock-out was early. Null where it was sealed to another key. */
export async function opener(outside: ExternalContext): Promise<(sealed: string) => z.infer<typeof Sealed> | null> {
  const key = createPrivateKey(await privateKey(outside))
  return sealed => {
    try {
      const plain = privateDecrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }, Buffer.from(sealed, 'base64'))
      const read = Sealed.safeParse(JSON.parse(plain.toString('utf8')))
      return read.success ? read.data : null
    } catch {
      return null
    }
  }
}

const purpose = 'punch mark'
const signedMark = ({ principal }: Pick<ExternalContext, 'principal'>, { server_time, nonce }: Omit<Mark, 'signature'>): string =>
  `${principal.company.id} ${principal.id} ${server_time} ${nonce}`

/** Server time, signed for this device. */
export function markOf(context: Pick<ExternalContext, 'principal' | 'services' | 'now'>): Mark {
  const mark = { server_time: context.now().toISOString(), nonce: randomBytes(9).toString('base64url') }
  return { ...mark, signature: context.services.vault.sign(purpose, signedMark(context, mark)) }
}

export const isOwnMark = (context: Pick<ExternalContext, 'principal' | 'services'>, { signature, ...mark }: Mark): boolean =>
  context.services.vault.verify(purpose, signedMark(context, mark), signature)

/** The first bytes of a badge's hash. */
export const badgeHint = (code_hash: Buffer | null): string | null => code_hash?.subarray(0, 8).toString('hex') ?? null
