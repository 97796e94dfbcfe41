/** The registry of couriers by agent code. A new courier is added only here. */

import { orNotFound } from '#contract/errors.ts'
import { bring } from './bring/bring.ts'
import { budbee } from './budbee/budbee.ts'
import { burd } from './burd/burd.ts'
import type { Courier } from './courier.ts'
import { dao } from './dao/dao.ts'
import { dhlDe } from './dhl_de/dhl_de.ts'
import { dpd } from './dpd/dpd.ts'
import { fedex } from './fedex/fedex.ts'
import { gls } from './gls/gls.ts'
import { helthjem } from './helthjem/helthjem.ts'
import { hermesDe } from './hermes_de/hermes_de.ts'
import { instabox } from './instabox/instabox.ts'
import { matkahuolto } from './matkahuolto/matkahuolto.ts'
import { own } from './own/own.ts'
import { posti } from './posti/posti.ts'
import { postnord } from './postnord/postnord.ts'
import { shipmondo } from './shipmondo/shipmondo.ts'
import { ups } from './ups/ups.ts'

const known = new Map<string, Courier>(
  [own, bring, budbee, burd, dao, dhlDe, dpd, fedex, gls, helthjem, hermesDe, instabox, matkahuolto, posti, postnord, shipmondo, ups].map(
    courier => [courier.capabilities.agent_code, courier],
  ),
)
export const couriers: ReadonlyMap<string, Courier> = known

export function courier(agent_code: string): Courier | undefined {
  return couriers.get(agent_code)
}

/** Wherever somebody names a courier. @throws {Refusal} 404 unknown */
export const mustBeCourier = (agent_code: string): Courier => orNotFound(courier(agent_code), 'courier_not_found', 'Courier not found')

/** Whether parcels can go with it through this program. */
export const makesLabels = ({ capabilities }: Courier): boolean => capabilities.operations.length > 0

/** Whether every company may use it as it is. */
export const needsNoSettings = ({ capabilities }: Courier): boolean => capabilities.settings.every(field => !field.required)

/** For tests: registers a courier, in place of one with its code, until the returned function is called. */
export function withCourier(courier: Courier): () => void {
  const { agent_code } = courier.capabilities
  const before = known.get(agent_code)
  known.set(agent_code, courier)
  return () => void (before ? known.set(agent_code, before) : known.delete(agent_code))
}
