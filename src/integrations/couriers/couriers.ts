/** Every courier the program can book with, by agent code: a new one is added here and nowhere else. */

import type { Courier } from './courier.ts'
import { own } from './own/own.ts'

export const couriers: ReadonlyMap<string, Courier> = new Map([own].map(courier => [courier.capabilities.agent_code, courier]))

export function courier(agent_code: string): Courier | undefined {
  return couriers.get(agent_code)
}
