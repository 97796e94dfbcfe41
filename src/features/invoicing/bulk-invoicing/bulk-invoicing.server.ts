/** Handlers of bulk invoicing. */
import { implement } from '#platform/http/feature-module.ts'
import { copyConfig, createConfig, setRecipients, switchConfig, updateConfig } from './bulk-invoicing.commands.ts'
import { bulkInvoicing } from './bulk-invoicing.contract.ts'
import { configById, configsOf } from './bulk-invoicing.queries.ts'
import { bulkInvoicingSchemas } from './bulk-invoicing.schemas.ts'

export const bulkInvoicingServer = implement(bulkInvoicing, bulkInvoicingSchemas, {
  list: (_, { db, principal }) => configsOf(db, principal.company.id),
  get: ({ id }, { db, principal }) => configById(db, principal.company.id, id),
  setActive: ({ config_id, active }, context) => switchConfig(context, config_id, active),
  sendTo: ({ config_id, body }, context) => setRecipients(context, config_id, body),
  create: ({ agent_code, country_id, body }, context) => createConfig(context, { agent_code, country_id }, body),
  update: ({ config_id, body }, context) => updateConfig(context, config_id, body),
  copy: ({ config_id, agent_code, country_id }, context) => copyConfig(context, config_id, { agent_code, country_id }),
})
