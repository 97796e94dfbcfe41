/** Bulk invoicing of the demo's shop that sells to Norway: parcels that wait, and the invoices of its last three trucks – all invented. */
import { sql } from 'kysely'
import { countryId } from '#domain/countries.ts'
import { setNumber } from '#features/company/customs-numbers/customs-numbers.commands.ts'
import { setManualRate } from '#features/company/exchange-rates/exchange-rates.commands.ts'
import { createConfig, switchConfig } from '#features/invoicing/bulk-invoicing/bulk-invoicing.commands.ts'
import { ConfigFields } from '#features/invoicing/bulk-invoicing/bulk-invoicing.schemas.ts'
import { createInvoice, creditInvoice } from '#features/invoicing/invoices/invoices.commands.ts'
import { NewInvoice } from '#features/invoicing/invoices/invoices.schemas.ts'
import { anonymous } from '#platform/auth/identity.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { createContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'

const way = { courier: 'own', country: 'NO' }

interface Truck {
  at: string
  ids: number[]
}

/** What the last three trucks to Norway took, the oldest first. */
async function lastTrucks({ database }: Services, scope: TenantScope): Promise<Truck[]> {
  const { rows } = await database.transaction(scope, db =>
    sql<Truck>`
      select max(s.handed_over_at) at, (array_agg(s.id order by s.id))[1:40] ids from shipments s
      join shipment_parties r on r.operator_id = s.operator_id and r.shipment_id = s.id and r.role = 'recipient' and r.party ->> 'country' = 'NO'
      where s.operator_id = current_operator_id() and s.company_id = ${scope.company_id} and s.handed_over_at is not null
        and s.state not in ('cancelled', 'blocked')
      group by s.handed_over_at::date order by 1 desc limit 3`.execute(db),
  )
  return rows.toReversed()
}

export async function buildInvoices(services: Services, scope: TenantScope): Promise<void> {
  const company = {
    operator_id: scope.operator_id,
    id: scope.company_id,
    code: 'demo-north',
    name: '',
    is_main: false,
    packing_ip_pattern: '',
  }
  const by = { ...anonymous(company), name: 'Office' }
  const outside = (at: Date) =>
    createContext({ ...services, now: () => at }, by, scope, { ip: '', station: '', headers: {}, signal: services.closing })
  await outside(services.now()).transaction(async context => {
    const fields = ConfigFields.parse({
      importer: {
        ...{ name: 'Demo Nord AS', address1: 'Kaiveien 4', postcode: '0150', city: 'Oslo' },
        ...{ country: 'NO', vat_no: '974760673' },
      },
      exporter: {
        ...{ name: 'Demo North ApS', address1: 'Pakhuskaj 12', postcode: '2150', city: 'Nordhavn' },
        ...{ country: 'DK', vat_no: 'DK12345678' },
      },
      terms_place: 'Oslo',
      currency: 'NOK',
      hs_digits: 6,
    })
    const { config_id } = await createConfig(context, { agent_code: 'own', country_id: countryId('NO') }, fields)
    const year = services.now().getUTCFullYear() - 1
    for (const [from_currency, rate] of [
      ['DKK', '1.5751'],
      ['SEK', '1.0491'],
      ['EUR', '11.75'],
    ] as const)
      await setManualRate(context, {
        from_currency,
        to_currency: 'NOK',
        rate,
        valid_from: `${year}-01-01`,
        valid_to: null,
        note: 'Invented',
      })
    await switchConfig(context, config_id, true)
    const always = { valid_from: null, valid_to: null }
    await setNumber(context, { kind: 'eori', country: 'DK', value: 'DK12345678', ...always })
    await setNumber(context, { kind: 'vat', country: 'GB', value: 'GB123456789', ...always })
  })
  let last = 0
  for (const { at, ids } of await lastTrucks(services, scope)) {
    const body = NewInvoice.parse({ shipment_ids: ids, freeze: true })
    last = (await outside(new Date(at)).transaction(context => createInvoice(context, { ...way, body }))).id
  }
  if (last > 0)
    await outside(services.now()).transaction(context =>
      creditInvoice(context, last, { reason: 'The broker asked for the importer’s new address', freeze_anew: true, without: [] }),
    )
}
