/** Reads of configurations. */
import { orNotFound } from '#contract/errors.ts'
import { countryId } from '#domain/countries.ts'
import { courier } from '#integrations/couriers/couriers.ts'
import type { Db } from '#platform/database/database.ts'
import { mostConfigs } from './bulk-invoicing.codes.ts'
import { configGaps } from './bulk-invoicing.rules.ts'
import { BulkInvoicingConfig, noParty, TradeParty } from './bulk-invoicing.schemas.ts'

const selected = (db: Db) =>
  db
    .selectFrom('bulk_invoice_configs')
    .select(['id as config_id', 'company_id', 'agent_code', 'country', 'active', 'importer', 'exporter', 'terms', 'terms_place'])
    .select(['currency', 'grouping', 'hs_digits', 'locale', 'series', 'min_parcels', 'max_lines', 'emails', 'formats'])
    .select(['send_when as when', 'subject', 'version', 'updated_at'])

/** With the company whose configuration it is. */
export type OwnedConfig = BulkInvoicingConfig & { company_id: number }

const Party = TradeParty.catch(noParty)
function asConfig({ company_id, ...row }: Awaited<ReturnType<ReturnType<typeof selected>['executeTakeFirstOrThrow']>>): OwnedConfig {
  const parties = { importer: Party.parse(row.importer), exporter: Party.parse(row.exporter) }
  const config = BulkInvoicingConfig.parse({
    ...row,
    ...parties,
    agent: courier(row.agent_code)?.capabilities.name ?? row.agent_code,
    country_id: countryId(row.country),
    incomplete: configGaps(parties),
  })
  return { ...config, company_id }
}

export async function configsOf(db: Db, company_id: number): Promise<OwnedConfig[]> {
  const rows = await selected(db).where('company_id', '=', company_id).orderBy('agent_code').orderBy('country').limit(mostConfigs).execute()
  return rows.map(asConfig)
}

export async function configById(db: Db, company_id: number, id: number): Promise<OwnedConfig> {
  const row = await selected(db).where('company_id', '=', company_id).where('id', '=', id).executeTakeFirst()
  return asConfig(orNotFound(row, 'bulk_config_not_found', 'Configuration not found'))
}

/** The configuration of a courier and country, where it is on. `lock` keeps it so until the transaction ends. */
export async function activeConfig(
  db: Db,
  { company_id, agent_code, country }: { company_id: number; agent_code: string; country: string },
  lock = false,
): Promise<OwnedConfig | undefined> {
  let query = selected(db)
    .where('company_id', '=', company_id)
    .where('agent_code', '=', agent_code)
    .where('country', '=', country)
    .where('active', '=', true)
  if (lock) query = query.forShare()
  const row = await query.executeTakeFirst()
  return row && asConfig(row)
}
