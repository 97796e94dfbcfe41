/** Keys of external services: stored encrypted, tested against the service itself. */
import { externalFailed, unprocessable } from '#contract/errors.ts'
import { PrinterRefused, PrinterUnavailable } from '#integrations/printers/printer.ts'
import { printNode } from '#integrations/printers/printnode.ts'
import { deleteSecret, readSecret, storeSecret } from '#platform/crypto/secret-store.ts'
import type { Db } from '#platform/database/database.ts'
import { implement } from '#platform/http/feature-module.ts'
import { apiKeys } from './api-keys.contract.ts'
import { apiKeysSchemas } from './api-keys.schemas.ts'

const name = 'printnode'

export const apiKeysServer = implement(apiKeys, apiKeysSchemas, {
  get: (_, { db, scope }) => keysOf(db, scope.company_id),

  async set({ body }, { db, services, now, principal, recordEvent, scope, notify }) {
    const place = { operator_id: scope.operator_id, company_id: scope.company_id, name }
    if (body.printnode) await storeSecret(db, services.vault, place, body.printnode, { user_id: principal.id, at: now() })
    else await deleteSecret(db, place)
    await recordEvent({ kind: body.printnode ? 'api_key.set' : 'api_key.removed', subject: 'api_key', data: { name } })
    notify('printer')
    return keysOf(db, scope.company_id)
  },

  async test({ body }, { services, transaction, scope, signal }) {
    const place = { operator_id: scope.operator_id, company_id: scope.company_id, name }
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
  const row = await db
    .selectFrom('secrets')
    .select('last4')
    .where('company_id', '=', company_id)
    .where('name', '=', name)
    .executeTakeFirst()
  return { printnode: row?.last4 ?? null }
}
