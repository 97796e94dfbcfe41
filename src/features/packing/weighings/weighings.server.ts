/** The report of weighings. */
import { conflict } from '#contract/errors.ts'
import { pageOffset } from '#contract/page.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { csv } from '#platform/http/csv.ts'
import { implement } from '#platform/http/feature-module.ts'
import { weighings } from './weighings.contract.ts'
import { listWeighings } from './weighings.queries.ts'
import { weighingsSchemas } from './weighings.schemas.ts'

const mostExported = 20_000

export const weighingsServer = implement(weighings, weighingsSchemas, {
  async list({ page, limit, ...asked }, { db, principal }) {
    const { time_zone } = await companySettings(db, principal.company.id)
    return listWeighings(db, asked, { offset: pageOffset({ page, limit }), limit, time_zone })
  },

  async export(asked, { db, principal, now }) {
    const { time_zone } = await companySettings(db, principal.company.id)
    const { rows } = await listWeighings(db, asked, { offset: 0, limit: mostExported + 1, time_zone })
    if (rows.length > mostExported)
      throw conflict('export_too_large', 'More than {{rows}} rows. Choose fewer, such as one month.', { rows: mostExported })
    const columns = [
      'weighed_at',
      'company',
      'order_no',
      'parcel_no',
      'expected_g',
      'weight_g',
      'tolerance_g',
      'source',
      'outcome',
    ] as const
    return {
      bytes: csv(
        [...columns, 'overridden_by', 'weighed_by', 'station', 'learned_sku', 'learned_g'],
        rows.map(row => [
          ...columns.map(column => row[column]),
          ...[row.overridden_by, row.weighed_by, row.station, row.learned?.sku ?? null, row.learned?.weight_g ?? null],
        ]),
      ),
      media_type: 'text/csv; charset=utf-8',
      name: `weighings-${now().toISOString().slice(0, 10)}.csv`,
    }
  },
})
