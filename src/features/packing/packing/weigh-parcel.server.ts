/** The open parcel is weighed: its weight is taken, asked about, or refused. */
import { access } from '#contract/access.ts'
import type { HandlerInput } from '#contract/endpoint.ts'
import { forbidden } from '#contract/errors.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { mayAct } from '#features/company/users/station-acts.queries.ts'
import { writeWeight } from '#features/packing/weighings/weighings.commands.ts'
import { heaviestParcel, parcelOnScale } from '#features/packing/weighings/weighings.queries.ts'
import { judgeWeight, pieceWeight, toleranceOf, type WeightVerdict } from '#features/packing/weighings/weight.rules.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { approvedBy } from './approval.server.ts'
import type { packing } from './packing.contract.ts'
import type { Decision } from './packing.rules.ts'
import type { ScanAnswer } from './packing.schemas.ts'
import { answerScan, recordScan } from './scan.server.ts'

const sentences = {
  nothing: 'The scale shows nothing. Put the parcel on it.',
  too_heavy: 'The parcel weighs {{weight}} g; this shipping method takes {{limit}} g at most',
  asked: 'The scale says {{weight}} g, the products and the box {{reckoned}} g. Is anything missing?',
  ok: 'Parcel {{parcel}} weighs {{weight}} g',
  unchecked: 'Parcel {{parcel}} weighs {{weight}} g',
} as const satisfies Record<WeightVerdict, string>

export const weighParcel = ({ id, body }: HandlerInput<typeof packing.weigh>, context: Context): Promise<ScanAnswer> =>
  answerScan(context, id, [], body.scan_id, async desk => {
    const { db, principal, now } = context
    const scanned = {
      scan_id: body.scan_id,
      code: `${body.weight_g} g`,
      method: body.source === 'typed' ? ('typed' as const) : ('scan' as const),
    }
    const refuse = (text: string) => recordScan(context, id, desk, scanned, { result: 'weight_refused', quantity: 0, text, values: {} })
    const settings = await companySettings(db, desk.company_id)
    if (body.source === 'typed' && !settings.typed_weight) return refuse('Weights come from the scale here, they are not typed')
    const [parcel, max_g] = await Promise.all([parcelOnScale(db, id, desk.parcel_no, settings), heaviestParcel(db, id)])
    if (parcel.contents === null) return refuse('This parcel is empty')
    const tolerance_g = toleranceOf(parcel.expected_g, settings)
    const verdict = judgeWeight(body.weight_g, parcel, tolerance_g, max_g)
    const by = verdict === 'asked' && body.confirmed ? await whoOverrides(context, id, desk.station, body.approval) : null
    const taken = verdict === 'ok' || verdict === 'unchecked' || by !== null
    const { unweighed } = parcel
    const each_g = unweighed && taken ? pieceWeight(body.weight_g, parcel, unweighed.pieces) : null
    await writeWeight(db, {
      ...{ company_id: desk.company_id, order_id: id, session_id: desk.session_id, parcel_no: desk.parcel_no, contents: parcel.contents },
      ...{ weight_g: body.weight_g, source: body.source, expected_g: parcel.expected_g, tolerance_g },
      outcome: by !== null ? 'overridden' : verdict === 'nothing' || verdict === 'too_heavy' ? 'refused' : verdict,
      overridden_by: by,
      ...(unweighed && each_g !== null && { unweighed_product_id: unweighed.product_id, unweighed_each_g: each_g }),
      ...{ weighed_by: principal.name, station: desk.station, weighed_at: now().toISOString() },
    })
    if (by !== null)
      await context.recordEvent({
        kind: 'weight.overridden',
        order_id: id,
        company_id: desk.company_id,
        data: { parcel_no: desk.parcel_no, weight_g: body.weight_g, expected_g: parcel.expected_g, by },
      })
    const decision: Decision = {
      result: taken ? 'weight_set' : verdict === 'asked' ? 'weight_asked' : 'weight_refused',
      quantity: 0,
      text: sentences[taken ? 'ok' : verdict],
      values: { parcel: desk.parcel_no, weight: body.weight_g, reckoned: parcel.expected_g, limit: max_g },
    }
    // The weight goes with its scan, or not at all.
    return recordScan(context, id, desk, scanned, decision, 'first')
  })

/** A lead takes the weight as it is, or has just approved it. */
async function whoOverrides(context: Context, order_id: number, station: string, approval: string | undefined): Promise<string> {
  const { principal } = context
  if (await mayAct(context, 'weight', station, access.scanAdmin)) return principal.name
  const lead = await approvedBy(context, order_id, 'weight', approval)
  if (lead === undefined) throw forbidden('weight_forbidden', 'The weight differs. Ask a lead to take it.')
  return lead
}
