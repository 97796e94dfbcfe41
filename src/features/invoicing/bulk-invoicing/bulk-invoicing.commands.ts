/** Writing configurations of bulk invoicing. */
import { sql } from 'kysely'
import { badRequest, conflict, unprocessable } from '#contract/errors.ts'
import { countryOfId } from '#domain/countries.ts'
import { needsCustoms } from '#domain/customs/places.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { mailAccountOf } from '#features/deliveries/mail/mail.queries.ts'
import { mustBeCourier } from '#integrations/couriers/couriers.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { mostConfigs, type SendTime } from './bulk-invoicing.codes.ts'
import { configById, configsOf } from './bulk-invoicing.queries.ts'
import { BulkInvoicingConfig, type ConfigFields, noParty, type SendTo } from './bulk-invoicing.schemas.ts'

const owner = ({ principal }: Context): number => principal.company.id

/** Writers of one company come one after the other. */
const lockOwner = (context: Context) =>
  context.db.selectFrom('companies').select('id').where('id', '=', owner(context)).forUpdate().execute()

const shown = async (context: Context, id: number): Promise<BulkInvoicingConfig> =>
  BulkInvoicingConfig.parse(await configById(context.db, owner(context), id))

type Change = 'created' | 'changed' | 'activated' | 'deactivated' | 'send_set'

async function changed(context: Context, id: number, change: Change): Promise<BulkInvoicingConfig> {
  const config = await shown(context, id)
  const { agent_code, country } = config
  await context.recordEvent({ kind: `bulk_config.${change}`, subject: 'bulk_config', subject_id: id, data: { agent_code, country } })
  context.notify('bulk_config', id)
  return config
}

/** A country that goods cross a customs border to. @throws 400 unknown, 422 inside the own customs area */
async function mustBeAbroad(context: Context, country_id: number): Promise<string> {
  const country = countryOfId(country_id)
  if (!country) throw badRequest('country_not_found', 'There is no country with the id {{id}}', { id: country_id })
  const { sender } = await companySettings(context.db, owner(context))
  const home = sender.country || 'DK'
  if (!needsCustoms({ country: home, postcode: sender.postcode }, { country, postcode: '' }))
    throw unprocessable('country_needs_no_invoice', 'Goods from {{from}} to {{to}} need no customs invoice', { from: home, to: country })
  return country
}

const asColumns = <F extends Partial<ConfigFields>>({ importer, exporter, ...fields }: F) => ({
  ...fields,
  ...(importer && { importer: JSON.stringify(importer) }),
  ...(exporter && { exporter: JSON.stringify(exporter) }),
})

async function insertConfig(
  context: Context,
  { agent_code, country_id }: { agent_code: string; country_id: number },
  fields: (country: string) => ConfigFields & { emails?: string[]; formats?: string[]; send_when?: SendTime; subject?: string },
): Promise<BulkInvoicingConfig> {
  mustBeCourier(agent_code)
  await lockOwner(context)
  const country = await mustBeAbroad(context, country_id)
  const known = await configsOf(context.db, owner(context))
  const same = known.find(one => one.agent_code === agent_code && one.country === country)
  if (same) throw conflict('config_exists', 'This courier and country have a configuration already', {}, { current: same })
  if (known.length >= mostConfigs) throw conflict('bulk_configs_full', 'There are {{count}} configurations already', { count: mostConfigs })
  const made = await context.db
    .insertInto('bulk_invoice_configs')
    .values({ agent_code, country, ...asColumns(fields(country)) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return changed(context, made.id, 'created')
}

export const createConfig = (
  context: Context,
  to: { agent_code: string; country_id: number },
  fields: ConfigFields,
): Promise<BulkInvoicingConfig> => insertConfig(context, to, () => fields)

export async function copyConfig(
  context: Context,
  config_id: number,
  to: { agent_code: string; country_id: number },
): Promise<BulkInvoicingConfig> {
  const { importer, exporter, terms, terms_place, currency, grouping, hs_digits, locale, series, ...rest } = await configById(
    context.db,
    owner(context),
    config_id,
  )
  const { min_parcels, max_lines, emails, formats, when, subject } = rest
  return insertConfig(context, to, country => ({
    ...{ exporter, terms, currency, grouping, hs_digits, locale, series, min_parcels, max_lines, emails, formats, subject },
    send_when: when,
    // Importer and place are those of one country.
    importer: country === rest.country ? importer : noParty,
    terms_place: country === rest.country ? terms_place : '',
  }))
}

function mustBeCurrent(current: BulkInvoicingConfig, version: number | undefined): void {
  if (version !== undefined && current.version !== version)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current })
}

const bump = { updated_at: sql<string>`now()`, version: sql<number>`version + 1` }

export async function updateConfig(
  context: Context,
  id: number,
  { version, ...fields }: Partial<ConfigFields> & { version: number },
): Promise<BulkInvoicingConfig> {
  await lockOwner(context)
  const current = await shown(context, id)
  mustBeCurrent(current, version)
  await context.db
    .updateTable('bulk_invoice_configs')
    .set({ ...asColumns(fields), ...bump })
    .where('id', '=', id)
    .execute()
  const config = await changed(context, id, 'changed')
  if (config.active) mustBeComplete(config)
  return config
}

function mustBeComplete({ incomplete }: BulkInvoicingConfig): void {
  if (incomplete.length === 0) return
  const fields = Object.fromEntries(
    incomplete.map(path => [
      path,
      path.endsWith('_no') || path.endsWith('eori') ? 'Enter a number in the form of its country' : 'Fill this in',
    ]),
  )
  throw unprocessable('config_incomplete', 'Importer and exporter need name, address and a valid number first.', {}, { fields })
}

export async function switchConfig(context: Context, id: number, active: boolean): Promise<BulkInvoicingConfig> {
  await lockOwner(context)
  const config = await shown(context, id)
  if (config.active === active) return config
  if (active) mustBeComplete(config)
  await context.db
    .updateTable('bulk_invoice_configs')
    .set({ active, ...bump })
    .where('id', '=', id)
    .execute()
  return changed(context, id, active ? 'activated' : 'deactivated')
}

export async function setRecipients(
  context: Context,
  id: number,
  { test, version, when, ...fields }: SendTo,
): Promise<BulkInvoicingConfig> {
  await lockOwner(context)
  mustBeCurrent(await shown(context, id), version)
  if (test) {
    const account = await mailAccountOf(context.db, owner(context))
    if (!account) throw conflict('no_mail_account', 'No e-mail account yet.')
  }
  const formats = [...new Set(fields.formats)]
  const emails = [...new Map(fields.emails.map(email => [email.toLowerCase(), email])).values()]
  await context.db
    .updateTable('bulk_invoice_configs')
    .set({ ...fields, formats, emails, send_when: when, ...bump })
    .where('id', '=', id)
    .execute()
  const config = await changed(context, id, 'send_set')
  if (test)
    await context.recordEvents(
      emails.map((_, position) => ({ kind: 'bulk_config.sample_due', subject: 'bulk_config', subject_id: id, data: { position } })),
    )
  return config
}
