/** The packing PIN: handlers that set and remove it. */
import { deleteSecret, storeHash } from '#platform/crypto/secret-store.ts'
import { hashPassword } from '#platform/crypto/vault.ts'
import { implement } from '#platform/http/feature-module.ts'
import { packingPin } from './packing-pin.contract.ts'
import { pinName, pinOf } from './packing-pin.queries.ts'
import { packingPinSchemas } from './packing-pin.schemas.ts'

export const packingPinServer = implement(packingPin, packingPinSchemas, {
  async pin(_, { db, principal }) {
    const row = await pinOf(db, principal.company.id)
    return { set: row !== undefined, updated_at: row?.updated_at ?? null }
  },

  async setPin({ body }, { transaction, principal, now }) {
    const hash = await hashPassword(body.pin)
    await transaction(async ({ db, recordEvent }) => {
      await storeHash(db, { company_id: principal.company.id, name: pinName }, hash, { user_id: principal.id, at: now() })
      await recordEvent({ kind: 'pin.set' })
    })
  },

  async removePin(_, { db, principal, recordEvent }) {
    await deleteSecret(db, { company_id: principal.company.id, name: pinName })
    await recordEvent({ kind: 'pin.removed' })
  },
})
