/** Keys of external services: stored encrypted, tested against the service itself. */
import { externalFailed, unprocessable } from '#contract/errors.ts'
import { PrinterRefused, PrinterUnavailable } from '#integrations/printers/printer.ts'
import { printNode } from '#integrations/printers/printnode.ts'
import { deleteSecret, readSecret, storeSecret } from '#platform/crypto/secret-store.ts'
import type { Db } from '#platform/database/database.ts'
import { implement } from '#platform/http/feature-module.ts'
import { googleMapsKey, printNodeKey } from './api-keys.codes.ts'
import { apiKeys } from './api-keys.contract.ts'
import { apiKeysSchemas } from './api-keys.schemas.ts'

export const apiKeysServer = implement(apiKeys, apiKeysSchemas, {
  get: (_, { db, scope }) => keysOf(db, scope.company_id),

  async set({ body }, { db, services, now, principal, recordEvent, scope, notify }) {
    for (const [name, value] of [
      [printNodeKey, body.printnode],
      [googleMapsKey, body.google_maps],
    ] as const) {
      if (value === undefined) continue
      const place = { operator_id: scope.operator_id, company_id: scope.company_id, name }
      if (value) await storeSecret(db, services.vault, place, value, { user_id: principal.id, at: now() })
      else await deleteSecret(db, place)
      await recordEvent({ kind: value ? 'api_key.set' : 'api_key.removed', subject: 'api_key', data: { name } })
    }
    notify('printer')
    return keysOf(db, scope.company_id)
  },

  async test({ body }, { services, transaction, scope, signal }) {
    const place = { operator_id: scope.operator_id, company_id: scope.company_id, name: printNodeKey }
    const apiKey = body.printnode || (await transaction(({ db }) => readSecret(db, services.vault, place)))
    if (!apiKey) throw unprocessable('printnode_key_missing', 'There is no PrintNode key yet: enter one first')
    try {
      const { account_id, name, email, computers } = await printNode({ apiKey, baseUrl: services.config.printnode_url }).whoami(signal)
      return { account_id, name, email, computers }
    } catch (error) {
      if (error instanceof PrinterRefused)
        throw unprocessable('printnode_key_rejected', 'PrintNode does not take this key: {{answer}}', { answer: error.message })
      if (error instanceof PrinterUnavailable)
        throw externalFailed('printnode_unreachable', 'PrintNode does not answer: {{answer}}', { answer: error.message })
      throw error
    }
  },
})

async function keysOf(db: Db, company_id: number) {
  const rows = await db
    .selectFrom('secrets')
    .select(['name', 'last4'])
    .where('company_id', '=', company_id)
    .where('name', 'in', [printNodeKey, googleMapsKey])
    .execute()
  const last4 = (name: string) => rows.find(row => row.name === name)?.last4 ?? null
  return { printnode: last4(printNodeKey), google_maps: last4(googleMapsKey) }
}
