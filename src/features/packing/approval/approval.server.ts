/** Approval: setting and removing the packing PIN. */
import { hashPassword } from '#platform/crypto/vault.ts'
import { implement } from '#platform/http/feature-module.ts'
import { approval } from './approval.contract.ts'
import { pinName, pinOf } from './approval.queries.ts'

export const approvalServer = implement(approval, {
  async pin(_, { db, principal }) {
    const row = await pinOf(db, principal.company.id)
    return { set: row !== undefined, updated_at: row?.updated_at ?? null }
  },

  async setPin({ body }, { transaction, principal, now }) {
    const sealed = Buffer.from(await hashPassword(body.pin))
    const row = { sealed, last4: '', updated_at: now().toISOString(), updated_by: principal.id }
    await transaction(async ({ db, recordEvent }) => {
      await db
        .insertInto('secrets')
        .values({ name: pinName, ...row })
        .onConflict(c => c.columns(['operator_id', 'company_id', 'name']).doUpdateSet(row))
        .execute()
      await recordEvent({ kind: 'pin.set' })
    })
  },

  async removePin(_, { db, recordEvent }) {
    await db.deleteFrom('secrets').where('name', '=', pinName).execute()
    await recordEvent({ kind: 'pin.removed' })
  },
})
