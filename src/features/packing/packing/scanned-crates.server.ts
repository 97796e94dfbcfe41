/** The code of a box that is scanned while an order is packed. */
import { access, isAllowed } from '#contract/access.ts'
import { crateRefusal } from '#features/shipping/crate-choice/crate-refusal.queries.ts'
import { crateOfCode } from '#features/shipping/crate-choice/crate-use.queries.ts'
import type { Context } from '#platform/http/feature-module.ts'
import type { PackingState } from './packing.queries.ts'
import type { Decision } from './packing.rules.ts'
import { lastScan } from './scan.queries.ts'

/**
 * A code that is no product of the order may be the box of the parcel. One that the courier does not take, or that a rule forbids, is used
 * all the same where a lead scans it again.
 */
export async function scannedCrate(
  { db, now, principal }: Context,
  order_id: number,
  desk: PackingState,
  raw: string,
  codes: readonly string[],
): Promise<Decision | undefined> {
  const crate = await crateOfCode(db, desk.company_id, codes)
  if (!crate) return undefined
  const { active, ...priced } = crate
  const values = { name: crate.name, parcel: desk.parcel_no }
  const refuse = (text: string, more: Decision['values'] = {}): Decision => ({
    ...{ result: 'crate_refused', quantity: 0, text, values: { ...values, ...more } },
  })
  if (!active) return refuse('The box {{name}} is switched off. Use another one.')
  const against = await crateRefusal(db, { order_id, parcel_no: desk.parcel_no, crate_id: crate.id }, now())
  if (against) {
    const isLead = isAllowed(principal.permissions, access.scanAdmin)
    const before = isLead ? await lastScan(db, desk.session_id) : undefined
    const again = before?.result === 'crate_refused' && before.raw === raw.slice(0, 256) && before.user_id === principal.id
    if (!again && against.why === 'rule') return refuse(isLead ? ruledOut.lead : ruledOut.packer, { item: against.item })
    if (!again) return refuse(isLead ? notTaken.lead : notTaken.packer)
  }
  return { result: 'crate_set', quantity: 0, crate: priced, text: 'Parcel {{parcel}} goes out in {{name}}', values }
}
const ruledOut = {
  packer: '{{item}} may not go into the box {{name}}. Use another one.',
  lead: '{{item}} may not go into the box {{name}}. Scan it again to use it anyway.',
} as const
const notTaken = {
  packer: 'The courier does not take the box {{name}}. Use another one.',
  lead: 'The courier does not take the box {{name}}. Scan it again to use it anyway.',
} as const
