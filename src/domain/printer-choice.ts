/** Which printer a document goes to: what a station's table says, and what a device chose itself. */

/** What a printer of a station is for. */
export const printerRoles = ['label', 'return_label', 'slip', 'customs', 'invoice', 'sheet', 'pick', 'collect', 'test'] as const
export type PrinterRole = (typeof printerRoles)[number]

/** A station's printer for one kind of document. */
export interface RolePrinter {
  role: PrinterRole
  printer_id: number
  fallback_printer_id: number | null
  copies: number
}

/** The device's own choice by paper. */
export interface DevicePrinters {
  label?: number | null | undefined
  a4?: number | null | undefined
}

export interface ChosenPrinter {
  printer_id: number
  fallback_printer_id: number | null
  copies: number
}

/** Roles that are asked for a document, its own first. */
const asked: Record<PrinterRole, readonly PrinterRole[]> = {
  label: ['label'],
  return_label: ['return_label', 'label'],
  slip: ['slip', 'sheet'],
  customs: ['customs', 'sheet'],
  invoice: ['invoice', 'sheet'],
  sheet: ['sheet'],
  pick: ['pick'],
  collect: ['collect'],
  // The server prints it before anybody is there, so it needs a printer of the station itself.
  test: ['test', 'label'],
}

export const paperOfRole = (role: PrinterRole): 'label' | 'a4' =>
  role === 'label' || role === 'return_label' || role === 'test' ? 'label' : 'a4'

/** The role from which a document takes its printer, when its own has none. */
export const nextRole = (role: PrinterRole): PrinterRole | undefined => asked[role][1]

/** The printer named in the call, else the station's, else the device's own by paper; null without one. */
export function choosePrinter(
  role: PrinterRole,
  { named, roles = [], device = {} }: { named?: number | null | undefined; roles?: readonly RolePrinter[]; device?: DevicePrinters },
): ChosenPrinter | null {
  const own = asked[role].flatMap(one => roles.find(row => row.role === one) ?? [])
  if (named) {
    const row = own.find(one => one.printer_id === named)
    return { printer_id: named, fallback_printer_id: row?.fallback_printer_id ?? null, copies: row?.copies ?? 1 }
  }
  const [first] = own
  if (first) return { printer_id: first.printer_id, fallback_printer_id: first.fallback_printer_id, copies: first.copies }
  const chosen = device[paperOfRole(role)]
  return chosen ? { printer_id: chosen, fallback_printer_id: null, copies: 1 } : null
}

/** What a print job's document is printed for. A sheet of labels is a label. */
export function roleOfDocument(document: string, paper: string | null): PrinterRole {
  if (document === 'pick_list' || document === 'pick_overview') return 'pick'
  if (document === 'collect_list') return 'collect'
  if (document === 'return') return 'return_label'
  if (document === 'test' || document === 'slip' || document === 'customs' || document === 'invoice') return document
  return document === 'label' || paper === 'label' ? 'label' : 'sheet'
}
