/** Pick lists on paper: what is drawn, fetched beside the transaction, and where it is printed. */
import { randomUUID } from 'node:crypto'
import type { FileAnswer } from '#contract/endpoint.ts'
import { orNotFound } from '#contract/errors.ts'
import { listCode } from '#domain/codes.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { queuePrint } from '#features/printing/print-jobs/print-jobs.commands.ts'
import type { PrintJob } from '#features/printing/print-jobs/print-jobs.schemas.ts'
import { sendPrint } from '#features/printing/print-jobs/send-prints.task.ts'
import { routeUrl } from '#features/warehouse/wagon-routes/route-link.server.ts'
import { localeOf, paperWords } from '#integrations/printers/pick-list.labels.ts'
import { type PaperWagon, pickListPaper, pickOverviewPaper } from '#integrations/printers/pick-paper.ts'
import { createCache } from '#platform/caches/caches.ts'
import { recordFile } from '#platform/files/file-store.ts'
import { sanitizeImage } from '#platform/files/images.ts'
import type { ExternalContext } from '#platform/http/feature-module.ts'
import { paperLines, picturesOf } from './documents.queries.ts'
import { improvementEnded } from './optimize.task.ts'
import type { PickList, PickWagon } from './pick-lists.schemas.ts'
import { stopOf } from './planning.rules.ts'
import { colourInk } from './slot-colors.rules.ts'
import { listById } from './views.queries.ts'

interface Asked {
  pictures?: boolean | undefined
  wagon_no?: number | undefined
  locale?: string | undefined
}

/** Pictures on paper are 15 mm: so many pixels are sharp there. */
const pixels = 160

export async function listPaper(context: ExternalContext, id: number, asked: Asked): Promise<FileAnswer> {
  const { list, bytes } = await drawn(context, id, asked, 'pick_list')
  return { bytes, media_type: 'application/pdf', name: `${listCode('PL', list.id)}.pdf`, inline: true }
}

export async function overviewPaper(context: ExternalContext, id: number, asked: Asked): Promise<FileAnswer> {
  const { list, bytes } = await drawn(context, id, asked, 'pick_overview')
  return { bytes, media_type: 'application/pdf', name: `${listCode('PL', list.id)}-overview.pdf`, inline: true }
}

export async function printPaper(
  context: ExternalContext,
  {
    id,
    printer,
    key,
    document,
    paper,
  }: { id: number; printer: number; key?: string | undefined; document: 'pick_list' | 'pick_overview'; paper: Asked },
): Promise<PrintJob> {
  const { services, scope, transaction } = context
  const { bytes } = await drawn(context, id, paper, document)
  const stored = await services.files.put(scope.operator_id, bytes)
  const job = await transaction(async inside =>
    queuePrint(inside, {
      printer_id: printer,
      document,
      title: paper.wagon_no ? `${listCode('PL', id)}-${paper.wagon_no}` : listCode('PL', id),
      file_id: await recordFile(inside.db, stored, { media_type: 'application/pdf', name: `${listCode('PL', id)}.pdf` }),
      format: 'pdf',
      paper: 'a4',
      paper_required: true,
      company_id: scope.company_id,
      idempotency_key: `${document}:${id}:${key ?? randomUUID()}`,
    }),
  )
  return sendPrint(context, job)
}

async function drawn(context: ExternalContext, id: number, asked: Asked, document: 'pick_list' | 'pick_overview') {
  const { transaction, services, principal, scope, now } = context
  await improvementEnded(context, id)
  const { list, lines, settings, pictures } = await transaction(async ({ db }) => {
    const list = orNotFound(await listById(db, id), 'pick_list_not_found', 'Pick list not found')
    const lines = await paperLines(db, id, asked.wagon_no)
    return {
      list,
      lines,
      settings: await companySettings(db, scope.company_id),
      pictures: asked.pictures && document === 'pick_list' ? await picturesOf(db, lines) : [],
    }
  })
  const wagons = asked.wagon_no === undefined ? list.wagons : list.wagons.filter(wagon => wagon.wagon_no === asked.wagon_no)
  orNotFound(wagons[0], 'wagon_not_found', 'Wagon not found')
  const locale = localeOf(asked.locale ?? settings.locale)
  const language = locale.replace('_', '-')
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: settings.time_zone })
  const mapped = list.map_result_id !== null
  const byWagon = Map.groupBy(lines, line => line.wagon_no)
  const paper = {
    code: listCode('PL', list.id),
    subtitle: time.format(new Date(list.created_at)),
    wagons: wagons
      .filter(wagon => wagon.state !== 'cancelled' || asked.wagon_no !== undefined)
      .map(wagon =>
        wagonOnPaper(list, wagon, byWagon.get(wagon.wagon_no) ?? [], {
          time,
          map_url: mapped ? routeUrl(services, principal.company, list.id, wagon.wagon_no).url : null,
        }),
      ),
    pictures: new Map(await Promise.all(pictures.map(async ({ id: picture, sha256 }) => [picture, await small(context, sha256)] as const))),
    words: paperWords(locale),
    language,
    at: now(),
  }
  return { list, bytes: await (document === 'pick_list' ? pickListPaper(paper) : pickOverviewPaper(paper)) }
}

type Line = Awaited<ReturnType<typeof paperLines>>[number]

function wagonOnPaper(
  list: PickList,
  wagon: PickWagon,
  lines: readonly Line[],
  { time, map_url }: { time: Intl.DateTimeFormat; map_url: string | null },
): PaperWagon {
  const slots = wagon.slots.filter(slot => slot.live || list.state === 'cancelled' || list.state === 'completed')
  const colours = new Map(slots.map(slot => [slot.slot_no, slot.colour && colourInk[slot.colour]]))
  const deadline = slots.flatMap(slot => slot.ship_by ?? []).sort((a, b) => Date.parse(a) - Date.parse(b))[0]
  let stop = ''
  return {
    wagon_no: wagon.wagon_no,
    picker: wagon.user_name,
    deadline: deadline ? time.format(new Date(deadline)) : null,
    orders: slots.length,
    pieces: lines.reduce((sum, line) => sum + line.asked, 0),
    stops: wagon.stops,
    metres: wagon.metres,
    minutes: wagon.minutes ?? 0,
    map_url,
    slots: slots.map(slot => ({
      slot_no: slot.slot_no,
      colour: colours.get(slot.slot_no) ?? null,
      order_no: slot.order_no,
      company: slot.company,
      order_code: slot.order_code,
      codes: slot.codes.map(code => `PP${code.digits}`),
    })),
    lines: [
      ...additionLines(slots, colours),
      ...lines.map(line => {
        const here = `${stopOf(line)} ${line.bin}`
        const first = here !== stop
        stop = here
        return {
          bin: line.bin,
          quantity: line.asked,
          sku: line.sku ?? '',
          name: [line.name, line.variant].filter(Boolean).join(', '),
          slot_no: line.slot_no,
          colour: colours.get(line.slot_no) ?? null,
          picture: line.image_file_id,
          first,
        }
      }),
    ],
  }
}

/** Samples and gifts stand before the walk: what many slots get is fetched once. */
function additionLines(slots: readonly PickWagon['slots'][number][], colours: ReadonlyMap<number, string | null>): PaperWagon['lines'] {
  return slots
    .flatMap(slot => slot.additions.map(addition => ({ ...addition, slot_no: slot.slot_no })))
    .toSorted((a, b) => (a.bin ?? '').localeCompare(b.bin ?? '') || a.name.localeCompare(b.name) || a.slot_no - b.slot_no)
    .map(({ name, qty, bin, slot_no }, place, all) => ({
      bin,
      quantity: qty,
      sku: '',
      name,
      slot_no,
      colour: colours.get(slot_no) ?? null,
      picture: null,
      first: place === 0 || all[place - 1]?.name !== name,
    }))
}

const smallPictures = createCache<string, Uint8Array>('pictures', { most: 1_000, bytesOf: picture => picture.byteLength })

/** Drawn small as PNG, which is what a PDF can hold; the last ones are kept. A picture that cannot be read leaves its place empty. */
async function small({ services, scope }: ExternalContext, sha256: string): Promise<Uint8Array> {
  const known = smallPictures.get(sha256)
  if (known) return known
  const bytes = await services.files
    .get(scope.operator_id, sha256)
    .then(file => sanitizeImage(file, { longest: pixels, as: 'png' }))
    .then(
      picture => new Uint8Array(picture.bytes),
      () => new Uint8Array(),
    )
  smallPictures.set(sha256, bytes)
  return bytes
}
