/** Personal PINs and staff badges: made, replaced and revoked on the page of the user. */
import { randomBytes } from 'node:crypto'
import { forbidden, orNotFound } from '#contract/errors.ts'
import { hashPassword, hashToken } from '#platform/crypto/vault.ts'
import { type Context, implement } from '#platform/http/feature-module.ts'
import { credentials } from './credentials.contract.ts'
import { credentialsSchemas } from './credentials.schemas.ts'
import { standsAbove } from './permissions.rules.ts'
import { codesOf, userById } from './users.queries.ts'

export const credentialsServer = implement(credentials, credentialsSchemas, {
  async get({ id }, { db }) {
    orNotFound(await userById(db, id), 'user_not_found', 'User not found')
    const pin = await db.selectFrom('user_pins').select('set_at').where('user_id', '=', id).executeTakeFirst()
    const badge = await db.selectFrom('user_badges').select('made_at').where('user_id', '=', id).executeTakeFirst()
    return { pin_set_at: pin?.set_at ?? null, badge_made_at: badge?.made_at ?? null }
  },

  async setPin({ id, body }, { transaction }) {
    const pin_hash = await hashPassword(body.pin)
    await transaction(async context => {
      const name = await changeable(context, id)
      const set_at = context.now().toISOString()
      await context.db
        .insertInto('user_pins')
        .values({ user_id: id, pin_hash, set_at })
        .onConflict(c => c.columns(['operator_id', 'user_id']).doUpdateSet({ pin_hash, set_at }))
        .execute()
      await context.recordEvent({ kind: 'user.pin_set', subject: 'user', subject_id: id, data: { name } })
    })
  },

  async removePin({ id }, context) {
    const name = await changeable(context, id)
    await context.db.deleteFrom('user_pins').where('user_id', '=', id).execute()
    await context.recordEvent({ kind: 'user.pin_removed', subject: 'user', subject_id: id, data: { name } })
  },

  async makeBadge({ id }, context) {
    const name = await changeable(context, id)
    const token = randomBytes(16).toString('base64url')
    const code_hash = hashToken(token)
    const made_at = context.now().toISOString()
    await context.db
      .insertInto('user_badges')
      .values({ user_id: id, code_hash, made_at })
      .onConflict(c => c.columns(['operator_id', 'user_id']).doUpdateSet({ code_hash, made_at }))
      .execute()
    await context.recordEvent({ kind: 'user.badge_made', subject: 'user', subject_id: id, data: { name } })
    return { code: `U${id}-${token}` }
  },

  async revokeBadge({ id }, context) {
    const name = await changeable(context, id)
    await context.db.deleteFrom('user_badges').where('user_id', '=', id).execute()
    await context.recordEvent({ kind: 'user.badge_revoked', subject: 'user', subject_id: id, data: { name } })
  },
})

/** With a PIN or badge one can act as its owner: only who holds every permission of that user may change it. */
async function changeable({ db, principal }: Context, id: number): Promise<string> {
  const user = orNotFound(await userById(db, id), 'user_not_found', 'User not found')
  if (id !== principal.id && !standsAbove(principal.permissions, codesOf(user.effective)))
    throw forbidden('cannot_set_credentials', 'You can change PIN and badge only of people who have no permission that you lack')
  return user.name
}
