/** Reasons for returns and their order in the history of settings, and setting them back. */
import * as z from 'zod'
import { isKeyOf } from '#domain/objects.ts'
import type { SettingList } from '#features/company/companies/setting-lists.server.ts'
import type { SettingOrder } from '#features/company/companies/setting-orders.server.ts'
import { orderReasons, resetReason, saveReason } from './return-reasons.commands.ts'
import { reasonWords } from './return-reasons.rules.ts'
import { withdrawalReason } from './returns.codes.ts'
import { returnReasons } from './returns.queries.ts'
import { ReturnReasonFields } from './returns.schemas.ts'

const Fields = ReturnReasonFields.extend({ code: z.string() })
type Fields = z.output<typeof Fields>

/** The company's own words, else those of the product. */
const titleOf = ({ code, words }: { code: string; words: Readonly<Record<string, string | undefined>> }): string =>
  Object.values(words).find(Boolean) ?? (isKeyOf(reasonWords, code) ? reasonWords[code] : code)

/** A reason that the product knows is always there: what makes it the standard again is a change of its fields. */
export const returnReasonList: SettingList<Fields> = {
  name: 'return_reasons',
  Fields,
  title: titleOf,
  async find({ db, principal }, place) {
    const reason = (await returnReasons(db, principal.company.id)).find(one => one.code === place)
    if (!reason) return undefined
    const { position: _position, version, ...fields } = reason
    return { fields, version }
  },
  add: (context, place, { code: _code, ...fields }) => saveReason(context, place, { ...fields, version: 0 }),
  change: (context, place, { code: _code, ...fields }, version) => saveReason(context, place, { ...fields, version }),
  remove: (context, place) => resetReason(context, place),
}

export const returnReasonOrder: SettingOrder = {
  name: 'return_reason_order',
  async read({ db, principal }) {
    const reasons = await returnReasons(db, principal.company.id)
    return reasons.filter(({ code }) => code !== withdrawalReason).map(one => ({ place: one.code, title: titleOf(one) }))
  },
  save: orderReasons,
}
