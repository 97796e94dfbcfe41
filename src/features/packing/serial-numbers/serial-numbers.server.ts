/** Serial numbers: the rules are linear-time patterns, so that no rule can hold the server. */
import * as z from 'zod'
import { conflict, orNotFound, unprocessable } from '#contract/errors.ts'
import { pageOffset } from '#contract/page.ts'
import { readCode } from '#domain/codes.ts'
import { changeSettings } from '#features/company/companies/companies.commands.ts'
import { companyNamed, companySettings, type NamedCompany } from '#features/company/companies/companies.queries.ts'
import { SerialSettings } from '#features/company/companies/companies.schemas.ts'
import { addEntry, changeEntry } from '#features/company/companies/setting-lists.server.ts'
import { csv } from '#platform/http/csv.ts'
import { type Context, implement } from '#platform/http/feature-module.ts'
import { mustBeUnique, removeCheck, setCheck } from './serial-checks.commands.ts'
import { serialNumbers } from './serial-numbers.contract.ts'
import { findSerials, recallCounts, recallRows, serialCheckById, serialChecks, serialReader } from './serial-numbers.queries.ts'
import { readSetting } from './serial-numbers.rules.ts'
import { type ExtractStep, ExtractSteps, type SerialQuestion, serialNumbersSchemas } from './serial-numbers.schemas.ts'
import { serialRuleList } from './serial-numbers-history.server.ts'
import { compareUnits } from './serial-units.commands.ts'

export const serialNumbersServer = implement(
  serialNumbers,
  serialNumbersSchemas,
  {
    config: async ({ company }, context) => configOf(context, await companyNamed(context, company)),

    async configure({ code, property, value }, context) {
      const { db, recordEvent, notify } = context
      const company = await companyNamed(context, code)
      const { serials } = await companySettings(db, company.id)
      if (!isSetting(property)) throw unprocessable('unknown_property', 'There is no setting {{property}}', { property })
      const changed = readSetting(serials, property, value)
      if (!changed) throw unprocessable('bad_value', '{{value}} is no value of {{property}}', { property, value })
      if (JSON.stringify(changed) !== JSON.stringify(serials)) {
        if (property === 'default_scope' && value === 'company') await mustBeUnique(context, company.id)
        if (property === 'letters') await compareUnits(db, company.id, changed.letters)
        await changeSettings(db, company.id, { serials: changed }, { name: context.principal.name, at: context.now() })
        await recordEvent({
          kind: 'serial_setting.set',
          subject: 'company',
          subject_id: company.id,
          company_id: company.id,
          data: { property, value },
        })
        notify('serial_check', undefined, company.id)
      }
      return configOf(context, company)
    },

    async checks({ company }, context) {
      return { rows: await serialChecks(context.db, (await companyNamed(context, company)).id) }
    },

    async update({ regex, barcode, company: code, scope, extract: written }, context) {
      const extract = written === undefined ? undefined : readSteps(written)
      const company = await companyNamed(context, code)
      const known = (await serialChecks(context.db, company.id)).find(one => one.barcode === barcode)
      const set = () => setCheck(context, company.id, { regex, barcode, scope, extract })
      return known
        ? changeEntry(serialRuleList, context, known.id, set, company.id)
        : addEntry(serialRuleList, context, set, check => check.id, company.id)
    },

    async remove({ id }, context) {
      const check = orNotFound(await serialCheckById(context.db, id), 'rule_not_found', 'Rule not found')
      await changeEntry(serialRuleList, context, id, () => removeCheck(context, id), check.company_id)
    },

    async tryRule({ company, code, regex, extract = '[]' }, context) {
      const { serials } = await companySettings(context.db, (await companyNamed(context, company)).id)
      const read = readCode(code)
      const text = (read.kind === 'other' ? read.gs1?.serial : undefined) ?? read.text
      const rule = serialReader({ regex, extract: readSteps(extract) }, serials)
      return { serial: rule.serialIn(text), fits: rule.matches(text) }
    },

    search: ({ q, page, limit, ...asked }, context) => pageOfSerials(context, q.trim(), asked, { page, limit }),
    list: ({ query = '', page, limit, ...asked }, context) => pageOfSerials(context, query, asked, { page, limit }),

    async export({ query = '', ...asked }, context) {
      const { time_zone } = await companySettings(context.db, context.principal.company.id)
      const { rows } = await findSerials(context.db, query, asked, { offset: 0, limit: mostExported + 1, time_zone })
      return file(
        'serial-numbers',
        context.now(),
        [
          'serial',
          'sku',
          'product',
          'state',
          'order_no',
          'company',
          'customer',
          'tracking_no',
          'packer',
          'station',
          'recorded_at',
          'returned_at',
        ],
        rows.map(row => [
          ...[row.serial, row.sku, row.product, row.state, row.order_no, row.company, row.customer_name, row.tracking_no],
          ...[row.packer, row.station, row.created_at, row.returned_at],
        ]),
      )
    },

    recall: (range, { db }) => recallCounts(db, range),

    async recallCsv(range, { db, now }) {
      const rows = await recallRows(db, range, mostExported + 1)
      return file(
        'recall',
        now(),
        [
          'order_no',
          'serial',
          'sku',
          'product',
          'customer',
          'email',
          'phone',
          'address1',
          'postcode',
          'city',
          'country',
          'tracking_no',
          'packed_at',
        ],
        rows.map(row => {
          const { address1, postcode, city, country } = Address.parse(row.ship_to)
          return [
            ...[row.order_no, row.serial, row.sku, row.product, row.customer_name, row.customer_email, row.customer_phone],
            ...[address1, postcode, city, country, row.tracking_no, row.created_at],
          ]
        }),
      )
    },
  },
  {
    // A value that is set back passes no check of its own page.
    'company.changed': async (events, context) => {
      for (const { data } of events) {
        const { serials } = ChangedSerials.parse(data)
        if (serials?.to.default_scope === 'company' && serials.from.default_scope !== 'company')
          await mustBeUnique(context, context.principal.company.id)
        if (serials && serials.to.letters !== serials.from.letters)
          await compareUnits(context.db, context.principal.company.id, serials.to.letters)
      }
    },
  },
)

const Scope = z.object({ default_scope: z.string(), letters: z.enum(['keep', 'upper']) })
const ChangedSerials = z.object({ serials: z.object({ from: Scope, to: Scope }).optional() }).catch({})

const mostExported = 20_000
const word = z.string().catch('')
const Address = z.object({ address1: word, postcode: word, city: word, country: word })

/** A list that is cut off without a word would leave customers out of a recall. */
function file(name: string, at: Date, columns: readonly string[], rows: Parameters<typeof csv>[1]) {
  if (rows.length > mostExported)
    throw conflict('export_too_large', 'More than {{rows}} rows. Choose fewer, such as one month.', { rows: mostExported })
  return { bytes: csv(columns, rows), media_type: 'text/csv; charset=utf-8', name: `${name}-${at.toISOString().slice(0, 10)}.csv` }
}

async function pageOfSerials({ db, principal }: Context, query: string, asked: SerialQuestion, paging: { page: number; limit: number }) {
  const { time_zone } = await companySettings(db, principal.company.id)
  return findSerials(db, query, asked, { offset: pageOffset(paging), limit: paging.limit, time_zone })
}

async function configOf({ db }: Context, { id, code }: NamedCompany) {
  const { serials } = await companySettings(db, id)
  return { company: code, ...serials, rules: await serialChecks(db, id) }
}

function readSteps(written: string): ExtractStep[] {
  const steps = ExtractSteps.safeParse(jsonOf(written))
  if (!steps.success) throw unprocessable('bad_value', '{{value}} is no value of {{property}}', { property: 'extract', value: written })
  return steps.data
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isSetting = (property: string): property is keyof SerialSettings => Object.hasOwn(SerialSettings.shape, property)
