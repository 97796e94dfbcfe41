/** The code of a box that is scanned while an order is packed, and the items that are scanned after it. */
import { access, isAllowed } from '#contract/access.ts'
import { type CrateRefusal, crateRefusal, pieceRefusal } from '#features/shipping/crate-choice/crate-refusal.queries.ts'
import { crateOfCode } from '#features/shipping/crate-choice/crate-use.queries.ts'
import type { Context } from '#platform/http/feature-module.ts'
import type { PackingState } from './packing.queries.ts'
import type { Decision } from './packing.rules.ts'
import { lastScan } from './scan.queries.ts'

/**
 * A code that is no product of the order may be the box of the parcel. One that the courier does not take, that a rule forbids, or that is
 * too small by its sides, is used all the same where a lead scans it again.
 */
export async function scannedCrate(
  context: Context,
  order_id: number,
  desk: PackingState,
  raw: string,
  codes: readonly string[],
): Promise<Decision | undefined> {
  const { db, now } = context
  const crate = await crateOfCode(db, desk.company_id, codes)
  if (!crate) return undefined
  const { active, inner_mm, ...priced } = crate
  const values = { name: crate.name, parcel: desk.parcel_no }
  const refuse = (text: string, more: Decision['values'] = {}): Decision => ({
    ...{ result: 'crate_refused', quantity: 0, text, values: { ...values, ...more } },
  })
  if (!active) return refuse('The box {{name}} is switched off. Use another one.')
  const against = await crateRefusal(db, { order_id, parcel_no: desk.parcel_no, crate: { id: crate.id, inner_mm } }, now())
  if (against && !(await isRepeated(context, desk, raw)))
    return refuse(boxRefused[against.why][isLead(context) ? 'lead' : 'packer'], 'item' in against ? { item: against.item } : {})
  return { result: 'crate_set', quantity: 0, crate: priced, text: 'Parcel {{parcel}} goes out in {{name}}', values }
}

/** A piece that must not go into the box that was scanned before it is counted only where a lead scans it again. */
export async function withBox(
  context: Context,
  order_id: number,
  desk: PackingState,
  { code, serial_for }: { code: string; serial_for?: number | undefined },
  decision: Decision,
): Promise<Decision> {
  const { line, product, quantity, result } = decision
  // Its serial number is asked for after the piece was let in.
  const isPiece = (quantity > 0 && serial_for === undefined) || result === 'serial_needed'
  if (desk.crate_id === null || !line || !isPiece) return decision
  const { order_line_id } = line
  const against = await pieceRefusal(
    context.db,
    { order_id, company_id: desk.company_id, order_line_id, crate_id: desk.crate_id },
    context.now(),
  )
  if (!against || (await isRepeated(context, desk, code))) return decision
  const { why, item, name } = against
  return {
    result: 'crate_refused',
    quantity: 0,
    line,
    ...(product && { product }),
    text: pieceRefused[why][isLead(context) ? 'lead' : 'packer'],
    values: { item, name },
  }
}

const isLead = ({ principal }: Context): boolean => isAllowed(principal.permissions, access.scanAdmin)

/** Whether a lead scans the same code again that was refused just now. */
async function isRepeated(context: Context, { session_id }: PackingState, raw: string): Promise<boolean> {
  const before = isLead(context) ? await lastScan(context.db, session_id) : undefined
  return before?.result === 'crate_refused' && before.raw === raw.slice(0, 256) && before.user_id === context.principal.id
}

type Words = Readonly<Record<'packer' | 'lead', string>>
const boxRefused: Readonly<Record<CrateRefusal['why'], Words>> = {
  rule: {
    packer: '{{item}} may not go into the box {{name}}. Use another one.',
    lead: '{{item}} may not go into the box {{name}}. Scan it again to use it anyway.',
  },
  other_courier: {
    packer: 'The courier does not take the box {{name}}. Use another one.',
    lead: 'The courier does not take the box {{name}}. Scan it again to use it anyway.',
  },
  too_small: {
    packer: '{{item}} does not fit into the box {{name}}. Use another one.',
    lead: '{{item}} does not fit into the box {{name}}. Scan it again to use it anyway.',
  },
  volume: {
    packer: 'The items of this parcel do not fit into the box {{name}}. Use another one.',
    lead: 'The items of this parcel do not fit into the box {{name}}. Scan it again to use it anyway.',
  },
}
const pieceRefused: Readonly<Record<'rule' | 'too_small', Words>> = {
  rule: {
    packer: '{{item}} may not go into the box {{name}}. Scan another box first.',
    lead: '{{item}} may not go into the box {{name}}. Scan another box, or the item again to pack it anyway.',
  },
  too_small: {
    packer: '{{item}} does not fit into the box {{name}}. Scan another box first.',
    lead: '{{item}} does not fit into the box {{name}}. Scan another box, or the item again to pack it anyway.',
  },
}
