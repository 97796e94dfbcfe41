/** Customs papers of a booked parcel, drawn from what was declared when it was booked: every paper has the same sums. */
import * as z from 'zod'
import { customsReasons, numberKinds } from '#domain/consignment.ts'
import type { Party } from '#domain/party.ts'
import type { BookingRequest, CourierDocument, ParcelLine } from '#integrations/couriers/courier.ts'
import { customsPaper, type PaperContent, type PaperKind } from '#integrations/printers/customs-paper.ts'
import type { Db } from '#platform/database/database.ts'

const Stored = z.object({
  regime: z.string(),
  papers: z.array(z.enum(['cn22', 'cn23', 'invoice', 'proforma'])),
  reason: z.enum(customsReasons),
  terms: z.string().nullable(),
  numbers: z.array(z.object({ kind: z.enum(numberKinds), value: z.string() })),
  statements: z.array(z.string()),
  product_ids: z.boolean(),
  transit: z.boolean(),
})
type Stored = z.output<typeof Stored>

const storedCustoms = async (db: Db, shipment_id: number): Promise<Stored | undefined> => {
  const row = await db
    .selectFrom('shipment_customs')
    .select(['regime', 'papers', 'reason', 'terms', 'numbers', 'statements', 'product_ids', 'transit'])
    .where('shipment_id', '=', shipment_id)
    .executeTakeFirst()
  return row && Stored.parse(row)
}

const address = (party: Party, withContact: boolean): string[] =>
  [
    party.name,
    party.company ?? '',
    party.address1,
    party.address2 ?? '',
    [party.postcode, party.city].filter(Boolean).join(' '),
    party.country,
    ...(withContact ? [party.phone ?? '', party.email ?? ''] : []),
  ].filter(line => line !== '')

const words: Record<(typeof numberKinds)[number], string> = { vat: 'VAT', eori: 'EORI', ioss: 'IOSS', voec: 'VOEC' }
/** They travel in data only. */
const unprinted = new Set(['ioss', 'voec'])

function contentOf(
  { reason, terms, numbers, statements, product_ids }: Stored,
  lines: readonly ParcelLine[],
  currency: string,
  { request, tracking_no, courier, at }: { request: BookingRequest; tracking_no: string; courier: string; at: Date },
): PaperContent {
  const { parties, parcels } = request
  const [parcel] = parcels
  return {
    number: request.order_no ?? request.reference,
    date: request.ship_date,
    order_no: request.order_no,
    tracking_no,
    courier,
    sender: address(parties.sender, false),
    recipient: address(parties.recipient, true),
    importer: parties.importer ? address(parties.importer, false) : null,
    numbers: numbers.filter(one => !unprinted.has(one.kind)).map(one => [words[one.kind], one.value] as const),
    ...{ reason, terms, currency, statements },
    lines: lines.map(line => ({
      ...{ sku: line.sku, description: line.description, quantity: line.quantity, hs_code: line.hs_code, origin: line.origin },
      value: line.value?.amount ?? 0,
      net_g: line.net_weight_g ?? 0,
    })),
    product_ids: product_ids ? lines.map(line => [line.sku ?? '', line.manufacturer_no ?? '', line.gtin ?? ''] as const) : null,
    gross_g: parcel?.weight_g ?? 0,
    size_mm: parcel?.size_mm ?? null,
    parcel_no: parcel?.parcel_no ?? 1,
    signed_by: parties.sender.name,
    place: parties.sender.city,
    at,
  }
}

/** Goods in several currencies have no sum: no paper is drawn of them. */
const currencyOf = (lines: readonly ParcelLine[]): string | undefined => {
  const [currency, ...others] = new Set(lines.map(line => line.value?.currency))
  return others.length === 0 ? currency : undefined
}

/** Papers that the parcel needs and its courier did not draw. */
export async function drawCustomsPapers(
  db: Db,
  shipment_id: number,
  booked: { request: BookingRequest; tracking_no: string; courier: string; at: Date; drawn: readonly string[] },
): Promise<CourierDocument[]> {
  const stored = await storedCustoms(db, shipment_id)
  const lines = booked.request.parcels[0]?.lines ?? []
  if (!stored) return []
  const transit = stored.transit ? await drawTransitList(stored, lines, booked) : []
  const currency = currencyOf(lines)
  if (currency === undefined) return transit
  // Under VOEC nothing goes with the parcel; the invoice is kept.
  const needed: PaperKind[] =
    stored.regime === 'voec' ? ['invoice'] : [...stored.papers, ...(stored.papers.length > 0 ? (['packing_list'] as const) : [])]
  const content = contentOf(stored, lines, currency, booked)
  const documents = transit
  for (const kind of needed)
    if (!booked.drawn.includes(kind))
      documents.push({ kind, format: 'pdf', paper: kind === 'cn22' ? 'label' : 'a4', bytes: await customsPaper(kind, content) })
  return documents
}

/** What the courier was given for transit; it is kept with the shipment, since nothing goes with the parcel. */
async function drawTransitList(
  stored: Stored,
  lines: readonly ParcelLine[],
  booked: Parameters<typeof contentOf>[3],
): Promise<CourierDocument[]> {
  const declared = lines.flatMap(line => (line.transit_value ? [{ ...line, value: line.transit_value }] : []))
  const currency = currencyOf(declared)
  if (currency === undefined) return []
  const bytes = await customsPaper('transit', contentOf(stored, declared, currency, booked))
  return [{ kind: 'transit', format: 'pdf', paper: 'a4', bytes }]
}

/** Whether a paper goes with the parcel, and on which printer. */
export const printed: Partial<Record<string, { role: 'customs' | 'invoice' | 'slip'; copies: number }>> = {
  cn22: { role: 'customs', copies: 1 },
  cn23: { role: 'customs', copies: 2 },
  proforma: { role: 'customs', copies: 2 },
  invoice: { role: 'invoice', copies: 2 },
  packing_list: { role: 'slip', copies: 1 },
}

/** Under VOEC no paper goes with the parcel. */
export const goesWithParcel = async (db: Db, shipment_id: number): Promise<boolean> =>
  (await storedCustoms(db, shipment_id))?.regime !== 'voec'
