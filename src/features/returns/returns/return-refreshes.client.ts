/** The calls whose answers a change of a return changes. */
import { orders } from '#features/orders/orders/orders.contract.ts'
import { returns } from './returns.contract.ts'

export const returnRefreshes = [returns.get, returns.search, returns.count, returns.ofOrder, returns.ofCustomer, orders.get]
