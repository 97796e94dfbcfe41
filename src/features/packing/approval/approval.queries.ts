/** The packing PIN: kept like a password, guessed at most five times in ten minutes at one station. */
import { forbidden, tooMany } from '#contract/errors.ts'
import type { Db } from '#server/database.ts'
import { checkPassword } from '#server/keeper.ts'
import type { OutsideContext } from '#server/serve.ts'

/** A secret's row holds the hash, so the sealed bytes are never a PIN. */
export const pinName = 'packing_pin'

export const pinOf = (db: Db, company_id: number) =>
  db
    .selectFrom('secrets')
    .select(['sealed', 'updated_at'])
    .where('name', '=', pinName)
    .where('company_id', '=', company_id)
    .executeTakeFirst()

const tries = 5
const minutes = 10

/** Passes when no PIN is set or `pin` is it; every wrong one is written down and counted. */
export async function requirePin({ work, person, station, now }: OutsideContext, pin: string | undefined): Promise<void> {
  const company_id = person.company.id
  const { stored, failures } = await work(async ({ db }) => {
    const since = new Date(now().getTime() - minutes * 60_000).toISOString()
    const { n } = await db
      .selectFrom('events')
      .select(eb => eb.fn.countAll<number>().as('n'))
      .where('company_id', '=', company_id)
      .where('kind', '=', 'pin.wrong')
      .where('at', '>', since)
      .where(eb => eb.or([eb('user_id', '=', person.id), ...(station ? [eb('station', '=', station)] : [])]))
      .executeTakeFirstOrThrow()
    return { stored: await pinOf(db, company_id), failures: n }
  })
  if (!stored) return
  if (failures >= tries) throw tooMany('The PIN was wrong {{tries}} times. Wait ten minutes or ask your lead.', { tries })
  if (!pin) throw forbidden('This needs the PIN', {}, { fields: { pin: 'This needs the PIN' } })
  if (await checkPassword(pin, stored.sealed.toString('utf8'))) return
  await work(({ record }) => record({ kind: 'pin.wrong' }))
  throw forbidden('The PIN is wrong', {}, { fields: { pin: 'The PIN is wrong' } })
}
