/** The packing PIN: stored as a password hash; at most five wrong tries in ten minutes at one station. */
import { forbidden, tooMany } from '#contract/errors.ts'
import { checkPassword } from '#platform/crypto/vault.ts'
import type { Db } from '#platform/database/database.ts'
import type { ExternalContext } from '#platform/http/feature-module.ts'

/** The row of the secret store holds the hash. */
export const pinName = 'packing_pin'

const pins = (db: Db, company_id: number) =>
  db.selectFrom('secrets').select(['sealed', 'updated_at']).where('name', '=', pinName).where('company_id', '=', company_id)

export const pinOf = (db: Db, company_id: number) => pins(db, company_id).executeTakeFirst()

const lockPin = (db: Db, company_id: number) => pins(db, company_id).forNoKeyUpdate().executeTakeFirst()

const tries = 5
const minutes = 10

/** Passes when no PIN is set or `pin` is right. Each wrong PIN is recorded and counted. */
export async function requirePin({ transaction, principal, station, now }: ExternalContext, pin: string | undefined): Promise<void> {
  const company_id = principal.company.id
  const since = new Date(now().getTime() - minutes * 60_000).toISOString()
  const used = async (db: Db): Promise<boolean> => {
    const { n } = await db
      .selectFrom('events')
      .select(eb => eb.fn.countAll<number>().as('n'))
      .where('company_id', '=', company_id)
      .where('kind', '=', 'pin.wrong')
      .where('at', '>', since)
      .where(eb => eb.or([eb('user_id', '=', principal.id), ...(station ? [eb('station', '=', station)] : [])]))
      .executeTakeFirstOrThrow()
    return n >= tries
  }
  const { stored, over } = await transaction(async ({ db }) => ({ stored: await pinOf(db, company_id), over: await used(db) }))
  if (!stored) return
  if (over) throw noMore()
  if (!pin) throw forbidden('pin_required', 'This needs the PIN', {}, { fields: { pin: 'This needs the PIN' } })
  const right = await checkPassword(pin, stored.sealed.toString('utf8'))
  // Counted again under the row lock: concurrent tries must not all see a count of zero.
  const counts = await transaction(async ({ db, recordEvent }) => {
    await lockPin(db, company_id)
    if (await used(db)) return false
    if (!right) await recordEvent({ kind: 'pin.wrong' })
    return true
  })
  if (!counts) throw noMore()
  if (!right) throw forbidden('pin_wrong', 'The PIN is wrong', {}, { fields: { pin: 'The PIN is wrong' } })
}

const noMore = () => tooMany('pin_locked', 'The PIN was wrong {{tries}} times. Wait ten minutes or ask your lead.', { tries })
