/**
 * What the server will probably answer to scans that wait for the connection, by the same decision table. The server's answers take its
 * place as they come.
 */
import { candidates, readCode } from '#domain/codes.ts'
import { decide, type MeantProduct, type OpenPack, packOf, type TableLine } from '#features/packing/packing/packing.rules.ts'
import type { PackingLine, PackingOrder, ScanAnswer } from '#features/packing/packing/packing.schemas.ts'
import type { QueuedScan } from './scan-format.rules.ts'

/** The answer that is expected to one scan. */
export type Expected = Pick<ScanAnswer, 'result' | 'text' | 'values' | 'counted' | 'choices' | 'product'> & {
  line_id: number | null
  /** The pack whose next serial number is asked for. */
  pack: OpenPack | null
  /** The pack that was open before. */
  of_pack: OpenPack | null
}

export interface Forecast {
  /** The order as it will be when every waiting scan is answered as expected. */
  order: PackingOrder
  /** Lines whose count is not confirmed. */
  unconfirmed: readonly number[]
  /** The line whose serial number comes next. */
  asking: number | null
  /** By scan id, in the order in which they were made. */
  expected: ReadonlyMap<string, Expected>
}

const tableLine = (line: PackingLine): TableLine => ({
  ...{ order_line_id: line.order_line_id, product_id: line.product_id, sku_key: line.sku, name: line.name, barcode: null },
  ...{ qty: line.qty, packed_qty: line.packed_qty, needs_serial: line.needs_serial, serials: line.serials.length },
})

/** The products of the order that one of these codes means; a line without a product is known by its code alone. */
function meantBy(lines: readonly PackingLine[], codes: readonly string[]): { products: MeantProduct[]; lines: TableLine[] } {
  const keys = new Set(codes)
  const skus = new Set(codes.map(code => code.toUpperCase()))
  const hit = (line: PackingLine) => [
    ...line.codes.filter(({ code }) => keys.has(code)),
    ...(line.product_id !== null && line.sku !== null && skus.has(line.sku.toUpperCase()) ? [{ quantity: 1 }] : []),
  ]
  const products = new Map<number, MeantProduct>()
  for (const line of lines) {
    const found = hit(line)
    const { product_id, sku, name, has_picture } = line
    if (product_id !== null && found.length > 0)
      products.set(product_id, { product_id, sku: sku ?? '', name, has_picture, quantity: Math.max(...found.map(one => one.quantity)) })
  }
  const [first = null] = codes
  return {
    products: [...products.values()],
    lines: lines.map(line => ({ ...tableLine(line), barcode: line.product_id === null && hit(line).length > 0 ? first : null })),
  }
}

const plain = (result: Expected['result'], text: string, values: Expected['values'] = {}): Expected => ({
  ...{ result, text, values, counted: 0, choices: [], product: null, line_id: null, pack: null, of_pack: null },
})

/** What a pack holds without its code, which is known to the server alone. */
const openPack = (order: PackingOrder): OpenPack | null => order.pack && packOf({ scan_id: '', ...order.pack }, order.lines.map(tableLine))

function expectedOfCode(order: PackingOrder, scan: Extract<QueuedScan, { kind: 'scan' }>, asking: number | null): Expected {
  const read = readCode(scan.code)
  if (read.kind === 'refused') return plain('unknown', read.reason, { code: read.text })
  const codes = candidates(scan.code)
  const { products, lines } = meantBy(order.lines, codes)
  const serial_for = scan.serial_for ?? (scan.line_id === undefined ? (asking ?? undefined) : undefined)
  const pack = openPack(order)
  const decision = decide(
    lines,
    products,
    {
      ...{ codes, text: read.text, serial_for, line_id: scan.line_id, ask_at: order.ask_serials_at },
      ...{ scan_id: scan.scan_id, pack },
      gs1_serial: read.kind === 'other' ? read.gs1?.serial : undefined,
      typed_refused: scan.method === 'typed' && !order.may_type_serials,
    },
    () => null,
  )
  const { result, quantity, text, values, line, product, choices = [] } = decision
  if (result === 'unknown') {
    const addition = order.additions.find(one => one.barcode !== null && codes.includes(one.barcode))
    if (addition) return plain('addition', '{{name}} is in the parcel', { name: addition.name })
    // What a box is called is known to the server alone.
    if (read.kind === 'crate') return plain('ignored', 'The box is noted once the connection is back')
    return plain('unknown', '{{code}} is no item of this order', { code: read.text })
  }
  const asked =
    quantity > 0 && order.approvals.some(one => one.subject !== 'label' && one.state !== 'approved' && isAbout(one.line_id, line))
  if (asked) return plain('approval_needed', '{{name}} needs an approval, and that needs the connection', { name: line?.name ?? '' })
  const of_pack = serial_for === pack?.order_line_id ? pack : null
  const next = decision.pack === undefined ? of_pack : decision.pack
  return {
    ...{ result, text, values, choices, counted: quantity, line_id: line?.order_line_id ?? null, product: product ?? null },
    ...{ pack: next, of_pack },
  }
}

const isAbout = (line_id: number | null, line: { order_line_id: number } | undefined) => line_id === null || line_id === line?.order_line_id

function expectedOfCount({ lines }: PackingOrder, { order_line_id, quantity }: Extract<QueuedScan, { kind: 'count' }>): Expected {
  const line = lines.find(one => one.order_line_id === order_line_id)
  const packed = (line?.packed_qty ?? 0) + quantity
  if (!line || packed < 0 || packed > line.qty) return plain('ignored', 'Received')
  return {
    ...plain(packed === line.qty ? 'line_done' : 'ok', '{{name}}: {{packed}} of {{qty}}', { name: line.name, packed, qty: line.qty }),
    ...{ counted: quantity, line_id: order_line_id },
  }
}

function add(confirmed: PackingOrder, { line_id, counted, pack }: Expected): PackingOrder {
  const order = { ...confirmed, pack: pack && { order_line_id: pack.order_line_id, pieces: pack.pieces, given: pack.given } }
  if (line_id === null || counted === 0) return order
  const lines = order.lines.map(line => (line.order_line_id === line_id ? { ...line, packed_qty: line.packed_qty + counted } : line))
  return { ...order, lines, packed: order.packed + counted }
}

export type Forecaster = typeof forecastOf

/** `asking`: the line whose serial number the server has asked for. Cost: linear in scans times lines. */
export function forecastOf(confirmed: PackingOrder, scans: readonly QueuedScan[], asking: number | null): Forecast {
  const expected = new Map<string, Expected>()
  const counts: Expected[] = []
  let order = confirmed
  let asked = asking
  for (const scan of scans) {
    const one = expectedOf(order, scan, asked, counts)
    expected.set(scan.scan_id, one)
    asked = one.pack?.order_line_id ?? (one.result === 'serial_needed' || one.result === 'serial_refused' ? one.line_id : null)
    order = add(order, one)
    if (scan.kind === 'next' && order.session) order = { ...order, session: { ...order.session, parcel_no: order.session.parcel_no + 1 } }
  }
  const unconfirmed = order.lines
    .filter(line => confirmed.lines.some(one => one.order_line_id === line.order_line_id && one.packed_qty !== line.packed_qty))
    .map(line => line.order_line_id)
  return { order, unconfirmed, asking: asked, expected }
}

function expectedOf(order: PackingOrder, scan: QueuedScan, asking: number | null, counts: Expected[]): Expected {
  switch (scan.kind) {
    case 'scan': {
      const one = expectedOfCode(order, scan, asking)
      if (one.counted > 0) counts.push(one)
      return one
    }
    case 'count': {
      const one = expectedOfCount(order, scan)
      if (one.counted > 0) counts.push(one)
      return one
    }
    case 'undo': {
      const last = scan.pack ? undefined : counts.pop()
      // What was counted before the gap is known to the server alone.
      if (!last) return plain('ignored', 'The last scan is taken back once the connection is back')
      return {
        ...plain('undone', 'Taken back: {{name}}', { name: order.lines.find(line => line.order_line_id === last.line_id)?.name ?? '' }),
        ...{ counted: -last.counted, line_id: last.line_id, pack: last.of_pack },
      }
    }
    case 'photo':
      return plain('ignored', 'The photo is kept, and sent once the connection is back')
    case 'weight':
      return plain('ignored', 'The weight is checked once the connection is back')
    case 'next':
      return plain('parcel_next', 'Parcel {{parcel}} begins', { parcel: (order.session?.parcel_no ?? 1) + 1 })
  }
}
