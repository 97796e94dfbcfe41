/** Collect lists on paper: what the driver signs. */
import type { FileAnswer } from '#contract/endpoint.ts'
import { orNotFound } from '#contract/errors.ts'
import { companyById } from '#features/company/companies/companies.queries.ts'
import { queuePrint } from '#features/printing/print-jobs/print-jobs.commands.ts'
import type { PrintJob } from '#features/printing/print-jobs/print-jobs.schemas.ts'
import { sendPrint } from '#features/printing/print-jobs/send-prints.task.ts'
import { collectWords } from '#integrations/printers/collect-list.labels.ts'
import { collectListPaper } from '#integrations/printers/collect-paper.ts'
import { localeOf } from '#integrations/printers/pick-list.labels.ts'
import { recordFile } from '#platform/files/file-store.ts'
import type { ExternalContext } from '#platform/http/feature-module.ts'
import { translatorFor } from '#platform/http/translations.ts'
import { listInFull } from './views.queries.ts'

export async function collectPaper(outside: ExternalContext, id: number, locale?: string): Promise<FileAnswer> {
  const { code, bytes } = await drawn(outside, id, locale)
  return { bytes, media_type: 'application/pdf', name: `${code}.pdf`, inline: true }
}

export async function printCollectPaper(
  outside: ExternalContext,
  { id, printer, request_id, locale }: { id: number; printer: number; request_id?: string | undefined; locale?: string | undefined },
): Promise<PrintJob> {
  const { services, scope, transaction } = outside
  const { code, bytes, stand } = await drawn(outside, id, locale)
  const stored = await services.files.put(scope.operator_id, bytes)
  const job = await transaction(async inside =>
    queuePrint(inside, {
      printer_id: printer,
      document: 'collect_list',
      title: code,
      file_id: await recordFile(inside.db, stored, { media_type: 'application/pdf', name: `${code}.pdf` }),
      format: 'pdf',
      paper: 'a4',
      paper_required: true,
      company_id: scope.company_id,
      idempotency_key: `collect_list:${id}:${printer}:${request_id ?? stand}`,
    }),
  )
  return sendPrint(outside, job)
}

async function drawn(outside: ExternalContext, id: number, asked: string | undefined) {
  const { transaction, scope, now } = outside
  const { list, company } = await transaction(async ({ db }) => {
    const company = await companyById(db, scope.company_id)
    return {
      company,
      list: orNotFound(
        await listInFull(db, id, company.settings, { now: now(), may_reopen: false }),
        'collect_list_not_found',
        'Collect list not found',
      ),
    }
  })
  const { settings } = company
  const locale = localeOf(asked ?? settings.locale)
  const language = locale.replace('_', '-')
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: settings.time_zone })
  const kilograms = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  const words = collectWords(locale)
  const say = await translatorFor(locale)
  const running = list.state === 'open' || list.state === 'scanning'
  const { address1, postcode, city } = settings.sender
  const bytes = await collectListPaper({
    code: list.code,
    company: [company.name, [address1, [postcode, city].filter(Boolean).join(' ')].filter(Boolean).join(', ')],
    courier: say(list.agent),
    // A courier's only cage bears its name.
    cage: list.cage === list.agent ? say(list.agent) : list.cage,
    cut_off: list.cut_off_at && time.format(new Date(list.cut_off_at)),
    closed: list.closed_at && time.format(new Date(list.closed_at)),
    handed_over: list.handed_over_at && time.format(new Date(list.handed_over_at)),
    driver: list.handed_to,
    driver_signature: list.driver_signature,
    running,
    methods: list.methods.map(one => ({ name: say(one.name), count: one.count, weight: kilograms.format(one.weight_g / 1_000) })),
    weight: kilograms.format(list.weight_g / 1_000),
    parcels: list.parcels
      .filter(parcel => parcel.standing === 'scanned')
      .map(parcel => ({
        number: parcel.tracking_no ?? '',
        order_no: parcel.order_no ?? '',
        to: [parcel.country, parcel.city].filter(Boolean).join(' '),
        method: say(list.methods.find(one => one.method === parcel.shipping_method)?.name ?? parcel.shipping_method),
        weight: kilograms.format(parcel.weight_g / 1_000),
      })),
    missing: list.parcels
      .filter(parcel => parcel.standing === 'missing')
      .map(parcel => ({
        number: parcel.tracking_no ?? '',
        order_no: parcel.order_no ?? '',
        reason: words[parcel.reason ?? 'not_found'] ?? '',
      })),
    words,
    language,
    at: now(),
  })
  const stand = [list.state, list.scanned, list.closed_at, list.handed_over_at, list.reopened_at, locale].join(' ')
  return { code: list.code, bytes, stand }
}
