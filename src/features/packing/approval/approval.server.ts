/** Approval: setting and removing the packing PIN. */
import { hashPassword } from '#platform/crypto/vault.ts'
import { serve } from '#platform/http/feature-module.ts'
import { approval } from './approval.contract.ts'
import { pinName, pinOf } from './approval.queries.ts'

export const approvalServer = serve(approval, {
  async pin(_, { db, person }) {
    const row = await pinOf(db, person.company.id)
    return { set: row !== undefined, updated_at: row?.updated_at ?? null }
  },

  async setPin({ body }, { work, person, now }) {
    const sealed = Buffer.from(await hashPassword(body.pin))
    const row = { sealed, last4: '', updated_at: now().toISOString(), updated_by: person.id }
    await work(async ({ db, record }) => {
      await db
        .insertInto('secrets')
        .values({ name: pinName, ...row })
        .onConflict(c => c.columns(['operator_id', 'company_id', 'name']).doUpdateSet(row))
        .execute()
      await record({ kind: 'pin.set' })
    })
  },

  async removePin(_, { db, record }) {
    await db.deleteFrom('secrets').where('name', '=', pinName).execute()
    await record({ kind: 'pin.removed' })
  },
})
