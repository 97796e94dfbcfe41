/** The printer of a document, by station and device. */
import { describe, expect, it } from 'vitest'
import { choosePrinter, type PrinterRole, printerRoles, roleOfDocument } from './printer-choice.ts'

const [Z1, Z2, A1, A2, A3] = [1, 2, 11, 12, 13]
const row = (role: PrinterRole, printer_id: number, fallback_printer_id: number | null = null, copies = 1) => ({
  role,
  printer_id,
  fallback_printer_id,
  copies,
})

describe('the printer of a document', () => {
  it.each([
    ['a return label comes out of the label printer', [row('label', Z1)], {}, 'return_label', Z1],
    ['a return label comes out of its own printer', [row('label', Z1), row('return_label', Z2)], {}, 'return_label', Z2],
    ['a label never comes out of the printer of return labels', [row('return_label', Z2)], {}, 'label', undefined],
    ['a slip comes out of the device’s A4 printer', [row('customs', A2)], { a4: A1 }, 'slip', A1],
    ['customs papers come out of their own printer', [row('customs', A2)], { a4: A1 }, 'customs', A2],
    ['a slip comes out of the printer of sheets', [row('sheet', A3)], { a4: A1 }, 'slip', A3],
    ['an invoice comes out of the printer of sheets', [row('sheet', A3)], { a4: A1 }, 'invoice', A3],
    ['a pick list comes out of the device’s A4 printer', [row('sheet', A3)], { a4: A1 }, 'pick', A1],
    ['the station’s label printer comes before the device’s', [row('label', Z1)], { label: Z2 }, 'label', Z1],
    ['the device’s label printer is used where the station has none', [], { label: Z2 }, 'label', Z2],
    ['a label never comes out of an A4 printer', [row('sheet', A3)], { a4: A1 }, 'label', undefined],
    ['a test page comes out of the label printer', [row('label', Z1)], {}, 'test', Z1],
  ] as const)('%s', (_, roles, device, wanted, printer_id) => {
    expect(choosePrinter(wanted, { roles, device })?.printer_id).toBe(printer_id)
  })

  it('is the one that the call names, whatever the station says', () => {
    expect(choosePrinter('label', { named: Z2, roles: [row('label', Z1, Z2, 3)], device: { label: Z1 } })).toEqual({
      printer_id: Z2,
      fallback_printer_id: null,
      copies: 1,
    })
  })

  it('keeps its backup and copies when the call names the station’s own printer', () => {
    const chosen = { printer_id: Z1, fallback_printer_id: Z2, copies: 3 }
    expect(choosePrinter('label', { named: Z1, roles: [row('label', Z1, Z2, 3)] })).toEqual(chosen)
    expect(choosePrinter('label', { roles: [row('label', Z1, Z2, 3)] })).toEqual(chosen)
  })

  it.each(printerRoles)('is none for %s where nothing is set', role => {
    expect(choosePrinter(role, {})).toBeNull()
  })
})

it.each([
  ['label', 'label', 'label'],
  ['return', 'label', 'return_label'],
  ['slip', 'a4', 'slip'],
  ['customs', 'a4', 'customs'],
  ['pick_overview', 'a4', 'pick'],
  ['collect_list', 'a4', 'collect'],
  ['sheet', 'a4', 'sheet'],
  ['sheet', 'label', 'label'],
  ['test', 'label', 'test'],
] as const)('a %s on %s paper has the role %s', (document, paper, role) => {
  expect(roleOfDocument(document, paper)).toBe(role)
})
