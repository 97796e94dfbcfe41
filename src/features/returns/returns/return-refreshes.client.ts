/** What a command of a return changes on the screens. */
import { orders } from '#features/orders/orders/orders.contract.ts'
import { returns } from './returns.contract.ts'

/** The calls whose answers a change of a return changes. */
export const returnRefreshes = [returns.get, returns.search, returns.count, returns.ofOrder, returns.ofCustomer, orders.get]

/** For commands that answer the return. */
export const returnChange = { updates: returns.get, refreshes: returnRefreshes }
