/** The registry of couriers by agent code. A new courier is added only here. */

import { orNotFound } from '#contract/errors.ts'
import type { Courier } from './courier.ts'
import { own } from './own/own.ts'

const known = new Map<string, Courier>([own].map(courier => [courier.capabilities.agent_code, courier]))
export const couriers: ReadonlyMap<string, Courier> = known

export function courier(agent_code: string): Courier | undefined {
  return couriers.get(agent_code)
}

/** Wherever somebody names a courier. @throws {Refusal} 404 unknown */
export const mustBeCourier = (agent_code: string): Courier => orNotFound(courier(agent_code), 'courier_not_found', 'Courier not found')

/** For tests: registers one more courier until the returned function is called. */
export function withCourier(courier: Courier): () => void {
  known.set(courier.capabilities.agent_code, courier)
  return () => known.delete(courier.capabilities.agent_code)
}
