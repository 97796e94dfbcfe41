/** The decision table of the bench: what a scan means for the open order. */
import { elementAt } from '#domain/objects.ts'
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
}
export interface MeantProduct {
  product_id: number
  sku: string
  name: string
  /** Pieces that this barcode stands for: more than one on an outer pack. */
  quantity: number
  has_picture: boolean
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
}
/** Whether a text can be a serial number of this line; null when its product has no rule. */
export type SerialRule = (line: TableLine, serial: string) => boolean | null

export interface Decision {
  result: ScanResult
  line?: TableLine
  quantity: number
  serial?: string
  product?: MeantProduct
  choices?: number[]
  text: string
  values: Record<string, string | number | null>
}

const openPieces = (line: TableLine): number => line.qty - line.packed_qty
const open = (line: TableLine): boolean => openPieces(line) > 0

/**
 * First hit wins: the serial number being asked for, a product of the order, a serial number that fits one open line,
 * a product of somebody else's order, nothing known.
 */
export function decide(lines: readonly TableLine[], meant: readonly MeantProduct[], scanned: Scanned, ruled: SerialRule): Decision {
  if (scanned.serial_for !== undefined) return asSerial(lines, meant, scanned, ruled)

  const productOf = (line: TableLine) => meant.find(product => product.product_id === line.product_id)
  const hits = lines.filter(line => productOf(line) || (line.barcode !== null && scanned.codes.includes(line.barcode)))
  const chosen = scanned.line_id === undefined ? hits : hits.filter(line => line.order_line_id === scanned.line_id)
  const openHits = chosen.filter(open)

  if (hits.length === 0) {
    const fitting =
      scanned.codes.length === 0 ? [] : lines.filter(line => open(line) && line.needs_serial && ruled(line, scanned.text) === true)
    const products = new Set(fitting.map(line => line.product_id))
    if (products.size === 1) return counted(elementAt(fitting, 0), 1, lines, undefined, scanned.text)
    if (products.size > 1)
      return {
        result: 'ambiguous',
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
    return { result: 'unknown', quantity: 0, text: 'Nobody knows the code {{code}}', values: { code: scanned.text } }
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
      text: '{{code}} means several products of this order. Choose one.',
      values: { code: scanned.text },
    }

  const product = productOf(elementAt(openHits, 0))
  const pieces = product?.quantity ?? 1
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
      )
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

function asSerial(lines: readonly TableLine[], meant: readonly MeantProduct[], scanned: Scanned, ruled: SerialRule): Decision {
  const line = lines.find(one => one.order_line_id === scanned.serial_for)
  const refuse = (text: string, values: Decision['values'] = {}): Decision => ({
    result: 'serial_refused',
    quantity: 0,
    ...(line && { line }),
    text,
    values,
  })
  if (!line) return refuse('This line is not in the order any more')
  if (!open(line))
    return refuse('Too many of {{name}}: {{packed}} of {{qty}} are packed', { name: line.name, packed: line.packed_qty, qty: line.qty })
  const serial = scanned.gs1_serial ?? scanned.text
  if (meant.length > 0 || (line.barcode !== null && scanned.codes.includes(line.barcode)))
    return refuse('{{code}} is the barcode of a product, not a serial number', { code: scanned.text })
  if (ruled(line, serial) === false) return refuse('{{code}} is not a serial number of {{name}}', { code: serial, name: line.name })
  if (serial.length < (scanned.min_serial_length ?? 1)) return refuse('{{code}} is too short for a serial number', { code: serial })
  return counted(line, 1, lines, undefined, serial)
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
