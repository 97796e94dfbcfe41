/** Asks for the orders of an address before their screen is drawn. */

import { readUrl } from '#ui/kit/url-state.ts'
import type { Prefetch } from '#ui/navigation/screen.ts'
import { prefetchCall } from '#ui/query/calls.ts'
import { orders } from './orders.contract.ts'
import { OrdersUrl, pageOf, searchOf } from './orders-url.client.ts'

export const prefetchOrders: Prefetch = (cache, { searchStr }) => {
  const url = readUrl(OrdersUrl, searchStr)
  if (url.id > 0) prefetchCall(cache, orders.get, { id: url.id })
  else prefetchCall(cache, orders.search, pageOf(url, searchOf(url, false)))
}
