/** The decision table of the station: what a scan means for the open order. */
import { elementAt } from '#domain/objects.ts'
import type { SerialSettings } from '#features/company/companies/companies.schemas.ts'
import type { StoredUnit } from '#features/packing/serial-numbers/serial-units.rules.ts'
import type { ScanResult } from './packing.schemas.ts'

export interface TableLine {
  order_line_id: number
  product_id: number | null
  sku_key: string | null
  name: string
  barcode: string | null
  qty: number
  packed_qty: number
  needs_serial: boolean
  /** Serial numbers that are recorded for it. */
  serials: number
}
export interface MeantProduct {
  product_id: number
  sku: string
  name: string
  /** Pieces that this barcode stands for: more than one on an outer pack. */
  quantity: number
  has_picture: boolean
}
/** An outer pack whose pieces count one by one, each with its serial number. */
export interface OpenPack {
  /** The scan of its code. */
  scan_id: string
  order_line_id: number
  pieces: number
  /** Pieces that are counted. */
  given: number
}
export interface Scanned {
  /** The forms in which the code may be stored, best first. */
  codes: readonly string[]
  /** The code as people read it. */
  text: string
  /** A serial number inside a GS1 code. */
  gs1_serial?: string | undefined
  /** The station is asking for this line's serial number. */
  serial_for?: number | undefined
  /** The line that was chosen where the code meant several. */
  line_id?: number | undefined
  /** Characters that a serial number has at least. */
  min_serial_length?: number
  /** When the company's stations ask for serial numbers. */
  ask_at?: SerialSettings['ask_at']
  /** The scan's own id, and the pack whose serial numbers are asked for. */
  scan_id: string
  pack?: OpenPack | null
  /** The code was typed in a company whose serial numbers are only scanned. */
  typed_refused?: boolean
}
/** Whether a text can be a serial number of this line; null when its product has no rule. */
export type SerialRule = (line: TableLine, serial: string) => boolean | null

export interface Decision {
  result: ScanResult
  line?: TableLine
  quantity: number
  serial?: string
  /** Nothing asked for a serial number: by its rule alone the code may be one. */
  by_rule?: true
  /** All pieces of an outer pack of imported serial numbers. */
  units?: readonly StoredUnit[]
  product?: MeantProduct
  /** The pack whose next serial number is asked for, null where none is any more; absent: as before. */
  pack?: OpenPack | null
  choices?: number[]
  approval?: { rule_id: number; line_id: number | null }
  /** The crate of the parcel, with what it costs. */
  crate?: { id: number; name: string; code: string; cost: number; currency: string }
  /** Of the order, and in the parcel now. */
  addition?: number
  text: string
  values: Record<string, string | number | null>
}

/** Packed pieces whose serial number is asked for before the parcel is closed. */
export const missingSerials = (
  line: { needs_serial: boolean; packed_qty: number; serials: number },
  ask_at: SerialSettings['ask_at'] | undefined,
): number => (ask_at === 'close' && line.needs_serial ? Math.max(0, line.packed_qty - line.serials) : 0)

/** The pack of a session as it still holds: its line may have been changed meanwhile. */
export const packOf = (pack: OpenPack | null, lines: readonly TableLine[]): OpenPack | null =>
  pack && pack.given < pack.pieces && lines.some(line => line.order_line_id === pack.order_line_id && line.needs_serial && open(line))
    ? pack
    : null

const openPieces = (line: TableLine): number => line.qty - line.packed_qty
const open = (line: TableLine): boolean => openPieces(line) > 0

/**
 * First hit wins: the serial number being asked for, a product of the order, a serial number that fits one open line,
 * a product of somebody else's order, nothing known.
 */
export function decide(lines: readonly TableLine[], meant: readonly MeantProduct[], scanned: Scanned, ruled: SerialRule): Decision {
  const decision = meaning(lines, meant, scanned, ruled)
  const { pack } = scanned
  if (!pack || decision.pack) return decision
  if (decision.quantity === 0) return decision.result === 'serial_needed' ? { ...decision, pack: null } : decision
  // What is counted without being asked for ends the pack; its pieces stay counted.
  const more = scanned.serial_for === pack.order_line_id && decision.result === 'ok' && pack.given + 1 < pack.pieces
  return more ? { ...decision, ...nextOfPack({ ...pack, given: pack.given + 1 }, decision.values.name ?? '') } : { ...decision, pack: null }
}

const nextOfPack = (pack: OpenPack, name: string | number): Pick<Decision, 'pack' | 'text' | 'values'> => ({
  pack,
  text: 'Scan serial number {{n}} of {{pieces}}: {{name}}',
  values: { n: pack.given + 1, pieces: pack.pieces, name },
})

function meaning(lines: readonly TableLine[], meant: readonly MeantProduct[], scanned: Scanned, ruled: SerialRule): Decision {
  if (scanned.serial_for !== undefined) return asSerial(lines, meant, scanned, ruled)

  const productOf = (line: TableLine) => meant.find(product => product.product_id === line.product_id)
  const hits = lines.filter(line => productOf(line) || (line.barcode !== null && scanned.codes.includes(line.barcode)))
  const chosen = scanned.line_id === undefined ? hits : hits.filter(line => line.order_line_id === scanned.line_id)
  const openHits = chosen.filter(open)

  if (hits.length === 0) {
    const asks = (line: TableLine) => line.needs_serial && (open(line) || missingSerials(line, scanned.ask_at) > 0)
    const fitting = scanned.codes.length === 0 ? [] : lines.filter(line => asks(line) && ruled(line, scanned.text) === true)
    const products = new Set(fitting.map(line => line.product_id))
    if (products.size === 1) {
      const line = fitting.find(one => missingSerials(one, scanned.ask_at) > 0) ?? elementAt(fitting, 0)
      return { ...asSerial(lines, [], { ...scanned, gs1_serial: undefined, serial_for: line.order_line_id }, ruled), by_rule: true }
    }
    if (products.size > 1)
      return {
        result: 'ambiguous',
        by_rule: true,
        quantity: 0,
        choices: fitting.map(line => line.order_line_id),
        text: '{{code}} can be a serial number of several products. Scan the product first.',
        values: { code: scanned.text },
      }
    const [other] = meant
    if (other)
      return {
        result: 'wrong',
        quantity: 0,
        product: other,
        text: '{{name}} does not belong to this order',
        values: { name: other.name, sku: other.sku },
      }
    return { result: 'unknown', quantity: 0, text: 'Unknown barcode: {{code}}', values: { code: scanned.text } }
  }

  if (openHits.length === 0) {
    const line = chosen[0] ?? elementAt(hits, 0)
    const product = productOf(line)
    return {
      result: 'over',
      quantity: 0,
      line,
      ...(product && { product }),
      text: 'Too many of {{name}}: {{packed}} of {{qty}} are packed',
      values: { name: line.name, packed: line.packed_qty, qty: line.qty },
    }
  }

  // One code of two different products: a person says which. Two lines of one product: the first with open pieces.
  if (new Set(openHits.map(line => line.product_id ?? `line ${line.order_line_id}`)).size > 1)
    return {
      result: 'ambiguous',
      quantity: 0,
      choices: openHits.map(line => line.order_line_id),
      text: '{{code}} means several products of this order. Select one.',
      values: { code: scanned.text },
    }

  const product = productOf(elementAt(openHits, 0))
  const pieces = product?.quantity ?? 1
  const { pack } = scanned
  const begun = pack?.pieces === pieces ? openHits.find(one => one.order_line_id === pack.order_line_id) : undefined
  if (pack && begun)
    return { result: 'serial_needed', quantity: 0, line: begun, ...(product && { product }), ...nextOfPack(pack, begun.name) }
  const line = openHits.find(one => openPieces(one) >= pieces)
  if (!line) {
    const first = elementAt(openHits, 0)
    return {
      result: 'over',
      quantity: 0,
      line: first,
      ...(product && { product }),
      text: 'This pack holds {{pieces}}, but only {{left}} of {{name}} are missing',
      values: { pieces, left: openPieces(first), name: first.name },
    }
  }
  if (line.needs_serial) {
    if (scanned.gs1_serial && pieces === 1)
      return asSerial(
        lines,
        [],
        { ...scanned, text: scanned.gs1_serial, codes: [scanned.gs1_serial], serial_for: line.order_line_id },
        ruled,
        'counts',
      )
    if (scanned.ask_at === 'close') return counted(line, pieces, lines, product)
    if (pieces > 1)
      return {
        result: 'serial_of_pack',
        quantity: 0,
        line,
        ...(product && { product }),
        ...nextOfPack({ scan_id: scanned.scan_id, order_line_id: line.order_line_id, pieces, given: 0 }, line.name),
      }
    return {
      result: 'serial_needed',
      quantity: 0,
      line,
      ...(product && { product }),
      text: 'Scan the serial number of {{name}}',
      values: { name: line.name },
    }
  }
  return counted(line, pieces, lines, product)
}

/** `counts`: the code names a piece of its own, beside those whose serial number is still missing. */
function asSerial(
  lines: readonly TableLine[],
  meant: readonly MeantProduct[],
  scanned: Scanned,
  ruled: SerialRule,
  counts?: 'counts',
): Decision {
  const line = lines.find(one => one.order_line_id === scanned.serial_for)
  const refuse = (text: string, values: Decision['values'] = {}): Decision => ({
    result: 'serial_refused',
    quantity: 0,
    ...(line && { line }),
    text,
    values,
  })
  if (!line) return refuse('This line is not in the order any more')
  const late = counts === undefined && missingSerials(line, scanned.ask_at) > 0
  if (!late && !open(line))
    return refuse('Too many of {{name}}: {{packed}} of {{qty}} are packed', { name: line.name, packed: line.packed_qty, qty: line.qty })
  const serial = scanned.gs1_serial ?? scanned.text
  const ofLine = meant.length === 0 || meant.some(one => one.product_id === line.product_id && one.quantity === 1)
  const carriesSerial = scanned.gs1_serial !== undefined && ofLine
  if (!carriesSerial && (meant.length > 0 || (line.barcode !== null && scanned.codes.includes(line.barcode))))
    return refuse('{{code}} is the barcode of a product, not a serial number', { code: scanned.text })
  if (ruled(line, serial) === false) return refuse('{{code}} is not a serial number of {{name}}', { code: serial, name: line.name })
  if (serial.length < (scanned.min_serial_length ?? 1)) return refuse('{{code}} is too short for a serial number', { code: serial })
  if (scanned.typed_refused) return refuse('Serial numbers are scanned here, not typed')
  return late ? recorded(line, lines, serial) : counted(line, 1, lines, undefined, serial)
}

/** The serial number of a piece that was counted before. */
function recorded(line: TableLine, lines: readonly TableLine[], serial: string): Decision {
  const left = lines.reduce((sum, one) => sum + missingSerials(one, 'close'), 0) - 1
  const orderDone = left === 0 && !lines.some(open)
  return {
    result: orderDone ? 'order_done' : 'ok',
    quantity: 0,
    line,
    serial,
    text: orderDone ? 'Everything is packed' : '{{name}}: serial number {{serial}} is recorded',
    values: { name: line.name, serial },
  }
}

function counted(line: TableLine, quantity: number, lines: readonly TableLine[], product?: MeantProduct, serial?: string): Decision {
  const packed = line.packed_qty + quantity
  const lineDone = packed === line.qty
  const orderDone = lineDone && lines.every(one => one.order_line_id === line.order_line_id || !open(one))
  return {
    result: orderDone ? 'order_done' : lineDone ? 'line_done' : 'ok',
    quantity,
    line,
    ...(serial !== undefined && { serial }),
    ...(product && { product }),
    text: orderDone ? 'Everything is packed' : '{{name}}: {{packed}} of {{qty}}',
    values: { name: line.name, packed, qty: line.qty },
  }
}
